// Generated from schema.graphql. Do not edit.

/** The scopes that each role gives, and those that it gives in a Sandbox besides. */
export const roles = {
  viewer: { scopes: ['members:read', 'transactions:read', 'operations:read', 'audit:read', 'analytics:read', 'webhooks:read', 'adjustments:read', 'offers:evaluate'], inSandbox: [] },
  support: { scopes: ['members:read', 'transactions:read', 'operations:read', 'audit:read', 'analytics:read', 'webhooks:read', 'adjustments:read', 'offers:evaluate', 'members:write', 'redemptions:write', 'adjustments:write'], inSandbox: [] },
  marketer: { scopes: ['members:read', 'transactions:read', 'operations:read', 'audit:read', 'analytics:read', 'webhooks:read', 'adjustments:read', 'offers:evaluate', 'programs:write', 'programs:publish', 'codes:write', 'widgets:publish'], inSandbox: [] },
  finance: { scopes: ['members:read', 'transactions:read', 'operations:read', 'audit:read', 'analytics:read', 'webhooks:read', 'adjustments:read', 'offers:evaluate'], inSandbox: [] },
  approver: { scopes: ['members:read', 'transactions:read', 'operations:read', 'audit:read', 'analytics:read', 'webhooks:read', 'adjustments:read', 'offers:evaluate', 'adjustments:approve', 'redemptions:reverse', 'finance:approve'], inSandbox: [] },
  developer: { scopes: ['members:read', 'transactions:read', 'operations:read', 'audit:read', 'analytics:read', 'webhooks:read', 'adjustments:read', 'offers:evaluate', 'webhooks:write', 'issuers:write'], inSandbox: ['events:write', 'members:write', 'redemptions:write', 'redemptions:reverse', 'adjustments:write', 'adjustments:approve', 'widgets:session', 'programs:write', 'programs:publish', 'codes:write', 'widgets:publish', 'codes:reveal', 'finance:approve', 'environment:write'] },
  admin: { scopes: ['members:read', 'transactions:read', 'operations:read', 'audit:read', 'analytics:read', 'webhooks:read', 'adjustments:read', 'offers:evaluate', 'members:write', 'redemptions:write', 'redemptions:reverse', 'adjustments:write', 'adjustments:approve', 'webhooks:write', 'programs:write', 'programs:publish', 'codes:write', 'widgets:publish', 'issuers:write', 'codes:reveal', 'finance:approve', 'environment:write'], inSandbox: ['events:write', 'widgets:session'] },
} as const;

/** A role of a person. */
export type RoleName = keyof typeof roles;
