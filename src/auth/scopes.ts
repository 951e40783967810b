/** Every scope that a server key can have: the eleven of the specification, then those of the decisions. */
export const SCOPES = [
  'events:write',
  'members:read',
  'offers:evaluate',
  'transactions:read',
  'operations:read',
  'audit:read',
  'analytics:read',
  'redemptions:write',
  'redemptions:reverse',
  'adjustments:write',
  'adjustments:approve',
  'members:write',
  'webhooks:read',
  'webhooks:write',
  'widgets:session',
  'programs:write',
] as const;

export type Scope = (typeof SCOPES)[number];

/** The scopes that only read: those for a key that changes nothing. */
export const READING_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope.endsWith(':read'));

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}
