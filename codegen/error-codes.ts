import { type GraphQLSchema, isEnumType } from 'graphql';
import { directiveArguments } from './contract.ts';

/** An error code of the contract, with its meaning and its HTTP status. */
export interface ErrorCodeEntry {
  code: string;
  httpStatus: number;
  description: string;
}

/** Every value of `enum ErrorCode`, in the order of schema.graphql. */
export function errorCodes(schema: GraphQLSchema): ErrorCodeEntry[] {
  const type = schema.getType('ErrorCode');
  if (!isEnumType(type)) throw new Error('schema.graphql declares no enum ErrorCode');
  return type.getValues().map((value) => {
    const status = directiveArguments(value, 'httpStatus')?.code;
    if (typeof status !== 'number') throw new Error(`ErrorCode.${value.name} has no @httpStatus`);
    return { code: value.name, httpStatus: status, description: value.description ?? '' };
  });
}

/** The source of src/contract/generated/error-codes.ts: the closed union and its one table of statuses. */
export function printErrorCodes(schema: GraphQLSchema): string {
  const entries = errorCodes(schema);
  return [
    '// Generated from schema.graphql. Do not edit.',
    '',
    '/** Every error code of the service. */',
    'export type ErrorCode =',
    ...entries.map(({ code, description }) => `  /** ${description} */\n  | '${code}'`),
    ';',
    '',
    '/** The HTTP status that each code is answered with. */',
    'export const httpStatusOf: Readonly<Record<ErrorCode, number>> = {',
    ...entries.map(({ code, httpStatus }) => `  ${code}: ${httpStatus},`),
    '};',
    '',
  ].join('\n');
}
