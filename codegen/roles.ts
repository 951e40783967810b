import { type GraphQLSchema, isEnumType } from 'graphql';
import { EVERY_SCOPE } from '../src/auth/scopes.ts';
import { directiveArguments } from './contract.ts';

/** The source of src/contract/generated/roles.ts: the scopes of each role. @throws for a scope that there is not */
export function printRoles(schema: GraphQLSchema): string {
  const type = schema.getType('PersonRole');
  if (!isEnumType(type)) throw new Error('schema.graphql declares no enum PersonRole');
  const quoted = (scopes: string[]): string => scopes.map((scope) => `'${scope}'`).join(', ');
  const granted = new Map<string, { scopes: string[]; inSandbox: string[] }>();
  for (const value of type.getValues()) {
    const grants = directiveArguments(value, 'grants');
    if (!grants) throw new Error(`PersonRole.${value.name} has no @grants`);
    const other = granted.get(String(grants.of));
    granted.set(value.name, {
      scopes: [...(other?.scopes ?? []), ...scopesOf(grants.scopes)],
      inSandbox: [...(other?.inSandbox ?? []), ...scopesOf(grants.inSandbox ?? [])],
    });
  }
  const roles = Array.from(
    granted,
    ([name, { scopes, inSandbox }]) =>
      `  ${name}: { scopes: [${quoted(scopes)}], inSandbox: [${quoted(inSandbox)}] },`,
  );
  return [
    '// Generated from schema.graphql. Do not edit.',
    '',
    '/** The scopes that each role gives, and those that it gives in a Sandbox besides. */',
    'export const roles = {',
    ...roles,
    '} as const;',
    '',
    '/** A role of a person. */',
    'export type RoleName = keyof typeof roles;',
    '',
  ].join('\n');
}

function scopesOf(names: unknown): string[] {
  if (!Array.isArray(names)) throw new Error('A role grants a list of scopes');
  const unknown = names.find((name) => !(EVERY_SCOPE as readonly string[]).includes(name));
  if (unknown !== undefined) throw new Error(`There is no scope ${unknown}`);
  return names;
}
