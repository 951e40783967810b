import { type DocumentNode, Kind, parse, type TypeNode } from 'graphql';
import { childPath } from '../../http/json-path.ts';
import type { Detail } from '../../refusal.ts';
import { hasInput, validateInput } from './validate-input.ts';

/** The limit of `useTokenLimit`: a longer document is refused, and is not parsed here either. */
const TOKEN_LIMIT = 1_000;

/**
 * What the contract objects to in the variables of a request that was not checked yet.
 * @param body any JSON object
 * @returns details with paths from the body, such as `variables.input.amountMinor`; empty where the body has no
 *   document that can be parsed, and for variables that are no input objects
 */
export function findVariableDetails({ query, variables }: Readonly<Record<string, unknown>>): Detail[] {
  if (typeof query !== 'string' || typeof variables !== 'object' || variables === null) return [];
  const values = new Map<string, unknown>(Object.entries(variables));
  const definitions = parsed(query)?.definitions ?? [];
  return definitions.flatMap((definition) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION) return [];
    return (definition.variableDefinitions ?? []).flatMap(({ variable, type }) => {
      const name = variable.name.value;
      const typeName = nameOf(type);
      if (typeName === null || !hasInput(typeName) || !values.has(name)) return [];
      const root = childPath('variables', name);
      return validateInput(typeName, values.get(name)).map(({ path, message }) => ({
        path: path === '' || path.startsWith('[') ? `${root}${path}` : `${root}.${path}`,
        message,
      }));
    });
  });
}

function parsed(query: string): DocumentNode | null {
  try {
    return parse(query, { maxTokens: TOKEN_LIMIT, noLocation: true });
  } catch {
    return null;
  }
}

/** The name of a type that is no list. */
function nameOf(type: TypeNode): string | null {
  if (type.kind === Kind.NON_NULL_TYPE) return nameOf(type.type);
  return type.kind === Kind.NAMED_TYPE ? type.name.value : null;
}
