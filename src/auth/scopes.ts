/** The scopes that `-s all` stands for: the eleven of the specification, then those of the decisions. */
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

/**
 * Further scopes, for management over the API. Each has to be named: what a key may do does not grow with a release
 * because it was once given all scopes that there were.
 */
export const MANAGEMENT_SCOPES = [
  'programs:publish',
  'issuers:write',
  'widgets:publish',
  'codes:write',
  'adjustments:read',
  'finance:approve',
  'environment:write',
  'codes:reveal',
] as const;

export type Scope = (typeof SCOPES)[number] | (typeof MANAGEMENT_SCOPES)[number];

/** The scopes that only read: those for a key that changes nothing. */
export const READING_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope.endsWith(':read'));

/** Every scope that a server key can have. */
export const EVERY_SCOPE: readonly Scope[] = [...SCOPES, ...MANAGEMENT_SCOPES];

export function isScope(text: string): text is Scope {
  return (EVERY_SCOPE as readonly string[]).includes(text);
}
