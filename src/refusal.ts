import type { ErrorCode } from './contract/generated/error-codes.ts';

/** One violated rule of an input: a JSON path such as `items[2].quantity`, and what is wrong with its value. */
export interface Detail {
  path: string;
  message: string;
}

/** The codes with which administration refuses. Those that are not in the contract never reach a client of the API. */
export type AdministrationCode =
  | Extract<
      ErrorCode,
      | 'program_not_found'
      | 'deployment_not_found'
      | 'coupon_code_not_found'
      | 'self_approval_forbidden'
      | 'validation_failed'
      | 'sandbox_required'
      | 'version_not_found'
      | 'version_conflict'
      | 'program_conflict'
      | 'section_not_found'
      | 'production_required'
      | 'pool_not_found'
      | 'too_few_random_characters'
      | 'production_locked'
      | 'idempotency_key_reused'
      | 'issuer_not_found'
      | 'issuer_exists'
      | 'url_not_public'
    >
  /** No such tenant. */
  | 'tenant_not_found'
  /** No such person. */
  | 'person_not_found'
  /** Another person of the tenant has the email. */
  | 'person_exists'
  /** The person may not sign in. */
  | 'person_suspended'
  /** No such environment. */
  | 'environment_not_found'
  /** No such API key. */
  | 'key_not_found'
  /** The API key is revoked or expired. */
  | 'invalid_key_state'
  /** The environment is not empty, or not one of the same tenant. */
  | 'environment_conflict'
  /** Secrets are to be encrypted, and there is no key for that. */
  | 'secrets_key_required'
  /** A member is erased only once it is in no program. */
  | 'member_enrolled'
  /** Another process erases the member. */
  | 'erasure_running';

/** Every code of a refusal. */
export type RefusalCode = ErrorCode | AdministrationCode;

/**
 * Why a command, a query or a change of administration was not carried out. It is data, not an exception: the edges map
 * `code` to a status, and the command line prints `message`. Without a type argument the codes are those that
 * schema.graphql declares, which the edges may return.
 */
export interface Refusal<Code extends RefusalCode = ErrorCode> {
  refused: true;
  code: Code;
  message: string;
  details?: Detail[];
  /** How long it stays refused, where that is not the window of the credential's rate limit. */
  retryAfterSeconds?: number;
}

/**
 * Makes a refusal.
 * @param message a sentence for a developer or an operator: what is wrong, and what to do
 */
export function refuse<Code extends RefusalCode>(
  code: Code,
  message: string,
  details?: Detail[],
): Refusal<Code> {
  return details ? { refused: true, code, message, details } : { refused: true, code, message };
}

export function isRefusal(value: object): value is Refusal<RefusalCode> {
  return 'refused' in value;
}

// What an environment does not have: one sentence for each, whichever command, read or surface has looked for it.

/** A program is there once it has a published version. */
export const programNotFound = refuse(
  'program_not_found',
  'This environment has no published program of this id.',
);

/** Nobody has this id, or whoever had it was erased. Where only active members will do, see `noActiveMember`. */
export const memberNotFound = refuse(
  'member_not_found',
  'No member of this environment has this externalCustomerId.',
);

export const profileNotFound = refuse('profile_not_found', 'The member was never enrolled in this program.');

export const transactionNotFound = refuse(
  'transaction_not_found',
  'This environment has no transaction of this id.',
);

export const reservationNotFound = refuse(
  'reservation_not_found',
  'This environment has no reservation of this id.',
);

export const adjustmentNotFound = refuse(
  'adjustment_not_found',
  'This environment has no adjustment of this id.',
);

export const issuerNotFound = refuse(
  'issuer_not_found',
  'This environment has no issuer of this id. Those that it has: GET /issuers',
);

export const endpointNotFound = refuse(
  'endpoint_not_found',
  'This environment has no webhook endpoint of this id.',
);

export const deliveryNotFound = refuse(
  'delivery_not_found',
  'This environment has no webhook delivery of this id.',
);

/** Deployments of all environments: who asks as a visitor names none. */
export const deploymentNotFound = refuse('deployment_not_found', 'There is no widget deployment of this id.');
