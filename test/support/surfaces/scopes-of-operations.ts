import { directiveArguments, readContract } from '../../../codegen/contract.ts';
import { routes } from '../../../rest-adapter/routes.ts';
import type { Scope } from '../../../src/auth/scopes.ts';

const contract = readContract();
const fields = { ...contract.getQueryType()?.getFields(), ...contract.getMutationType()?.getFields() };

/**
 * The scopes that open an operation, each of them alone, as schema.graphql says.
 * @param name such as `GET /members/{externalId}`, or `GraphQL member`
 */
export function scopesOf(name: string): readonly Scope[] {
  const operation = name.startsWith('GraphQL ')
    ? name.slice('GraphQL '.length)
    : routes.find(({ method, path }) => `${method} ${path}` === name)?.operation;
  const scopes = directiveArguments(fields[operation ?? ''] ?? {}, 'scope')?.requires;
  if (!scopes) throw new Error(`schema.graphql gives no scope to ${name}`);
  return scopes as Scope[];
}
