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

function codesOfForms(schema: GraphQLSchema): Map<OperationForm, string[]> {
  const codes = new Map<OperationForm, string[]>();
  for (const [code, form] of formOfCodes(schema)) codes.set(form, [...(codes.get(form) ?? []), code]);
  return codes;
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
    "import type { Mutation } from './types.ts';",
    '',
    '/** The codes with which each operation may be refused, besides those that its form says. */',
    'export const refusals = {',
    ...fields.map((field) => `  ${field.name}: [${quoted(ownRefusals(field))}],`),
    '} as const satisfies Readonly<Record<string, readonly ErrorCode[]>>;',
    '',
    '/** An operation: a field of `Query` or `Mutation`. */',
    'export type OperationName = keyof typeof refusals;',
    '',
    '/** The codes that operations of a form may be refused with, whether they list them or not. */',
    'export const refusalsOfForm = {',
    ...Array.from(codesOfForms(schema), ([form, codes]) => `  ${form}: [${quoted(codes)}],`),
    '} as const satisfies Readonly<Record<string, readonly ErrorCode[]>>;',
    '',
    '/** The codes that an operation may be refused with once it is reached. */',
    'export type RefusalCodeOf<Operation extends OperationName> =',
    '  | (typeof refusals)[Operation][number]',
    "  | (typeof refusalsOfForm)['OPERATION' | 'INPUT'][number]",
    "  | (Operation extends keyof Mutation ? (typeof refusalsOfForm)['MUTATION'][number] : never);",
    '',
  ].join('\n');
}
