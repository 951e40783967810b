import type { ErrorCode } from './contract/generated/error-codes.ts';

/** One violated rule of an input: a JSON path such as `items[2].quantity`, and what is wrong there. */
export interface Detail {
  path: string;
  message: string;
}

/** Why a command or query was not carried out. Data, not an exception: the edges map `code` to a status. */
export interface Refusal {
  refused: true;
  code: ErrorCode;
  message: string;
  details?: Detail[];
}

/**
 * Makes a refusal.
 * @param code one of the closed union that schema.graphql declares
 * @param message a sentence for a developer: what is wrong, and what to do
 */
export function refuse(code: ErrorCode, message: string, details?: Detail[]): Refusal {
  return details ? { refused: true, code, message, details } : { refused: true, code, message };
}

export function isRefusal(value: object): value is Refusal {
  return 'refused' in value;
}
