import { type GraphQLField, type GraphQLSchema, isEnumType } from 'graphql';
import { directiveArguments } from './contract.ts';

/** What operations that share a code have in common: `enum OperationForm`. */
export type OperationForm = 'OPERATION' | 'INPUT' | 'BODY' | 'MUTATION' | 'SCOPE' | 'DOCUMENT';

/** The operation's own codes: those of `@refuses`. @throws where a root field has none */
export function ownRefusals(field: GraphQLField<unknown, unknown>): string[] {
  const codes = directiveArguments(field, 'refuses')?.codes;
  if (!Array.isArray(codes)) throw new Error(`Root field ${field.name} has no @refuses`);
  return codes;
}

/** The codes that operations of a form may be refused with, whether they list them or not. */
export function formOfCodes(schema: GraphQLSchema): ReadonlyMap<string, OperationForm> {
  const type = schema.getType('ErrorCode');
  if (!isEnumType(type)) throw new Error('schema.graphql declares no enum ErrorCode');
  const forms = type
    .getValues()
    .map((value) => [value.name, directiveArguments(value, 'always')?.of] as const);
  return new Map(forms.filter((entry): entry is [string, OperationForm] => typeof entry[1] === 'string'));
}

/** The source of src/contract/generated/refusals.ts: the codes of each operation. */
export function printRefusals(schema: GraphQLSchema): string {
  const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.values(type?.getFields() ?? {}),
  );
  const quoted = (codes: Iterable<string>): string => [...codes].map((code) => `'${code}'`).join(', ');
  return [
    '// Generated from schema.graphql. Do not edit.',
    "import type { ErrorCode } from './error-codes.ts';",
    '',
    '/** The codes with which each operation may be refused, besides those that its form says. */',
    'export const refusals = {',
    ...fields.map((field) => `  ${field.name}: [${quoted(ownRefusals(field))}],`),
    '} as const satisfies Readonly<Record<string, readonly ErrorCode[]>>;',
    '',
    '/** An operation: a field of `Query` or `Mutation`. */',
    'export type OperationName = keyof typeof refusals;',
    '',
    "/** The operation's own codes. */",
    'export type RefusalOf<Operation extends OperationName> = (typeof refusals)[Operation][number];',
    '',
    '/** The codes that operations of some form may be refused with, whether they list them or not. */',
    `export const refusedByForm: ReadonlySet<ErrorCode> = new Set<ErrorCode>([${quoted(formOfCodes(schema).keys())}]);`,
    '',
  ].join('\n');
}
