import type { Handling } from './handling.ts';

const SETUP = { exported: { none: 'of the merchant' }, erasure: 'nothing', reset: 'kept' } as const;
const OF_TENANT = {
  exported: { none: 'of people who work for the merchant' },
  erasure: 'nothing',
  reset: 'kept',
  clone: 'left',
} as const;
const DERIVED = { erasure: 'nothing', reset: 'emptied', clone: 'left' } as const;

/**
 * What becomes of the rows of the tables that batches neither read nor write as records, by the name in the migrations.
 */
export const OTHER_TABLES: Readonly<Record<string, Handling>> = {
  tenants: { owner: 'service', ...SETUP, clone: 'left' },
  environments: { owner: 'service', ...SETUP, clone: 'left' },
  people: { owner: 'service', ...OF_TENANT },
  person_roles: { owner: 'service', ...OF_TENANT },
  sign_in_links: { owner: 'service', ...OF_TENANT },
  person_sessions: { owner: 'service', ...OF_TENANT },
  tenant_audit_events: { owner: 'service', ...OF_TENANT },
  api_keys: { owner: 'environment', ...SETUP, clone: 'left' },
  token_issuers: { owner: 'environment', ...SETUP, clone: 'copied' },
  programs: { owner: 'environment', ...SETUP, clone: 'copied' },
  program_versions: { owner: 'environment', ...SETUP, clone: 'copied' },
  widget_deployments: { owner: 'environment', ...SETUP, clone: 'copied' },
  widget_deployment_versions: { owner: 'environment', ...SETUP, clone: 'copied' },
  finance_approvals: { owner: 'environment', ...SETUP, clone: 'left' },
  audit_seals: {
    owner: 'environment',
    exported: { none: 'hashes of audit events' },
    erasure: 'nothing',
    reset: 'kept',
    clone: 'left',
  },
  audit_heads: {
    owner: 'environment',
    exported: { none: 'hashes of audit events' },
    erasure: 'nothing',
    reset: 'kept',
    clone: 'left',
  },
  feed_epochs: {
    owner: 'environment',
    exported: { none: 'of the environment' },
    erasure: 'nothing',
    reset: 'kept',
    clone: 'left',
  },
  event_positions: { owner: 'environment', exported: { none: 'of the environment' }, ...DERIVED },
  receipt_templates: {
    owner: 'environment',
    exported: { none: 'what the receipts of many members have in common, and nothing of theirs' },
    ...DERIVED,
  },
  erased_references: {
    owner: 'environment',
    exported: { none: 'hashes of references of erased members' },
    ...DERIVED,
  },
  member_days: {
    owner: { members: ['member_id'] },
    exported: { none: 'sums of the postings, which are there' },
    ...DERIVED,
  },
  ledger_days: { owner: 'environment', exported: { none: 'sums over all members' }, ...DERIVED },
  ledger_rollups: { owner: 'environment', exported: { none: 'of the environment' }, ...DERIVED },
  ledger_verifications: { owner: 'environment', exported: { none: 'of the environment' }, ...DERIVED },
  retention_positions: { owner: 'environment', exported: { none: 'of the environment' }, ...DERIVED },
  webhook_leases: { owner: 'environment', exported: { none: 'of the merchant' }, ...DERIVED },
  webhook_attempts: {
    owner: 'environment',
    exported: { none: "answers of the merchant's servers, which are not about the member" },
    ...DERIVED,
    erasure: 'own_step',
  },
};
