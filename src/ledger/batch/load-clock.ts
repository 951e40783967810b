import type { Statement } from '../../db/statement.ts';

/** The tables in whose rows commands and publications leave the time of a decision, with the column that has it. */
const RECORDED: Readonly<Record<string, string>> = {
  transactions: 'created_at',
  events: 'at',
  members: 'created_at',
  consent_records: 'at',
  custom_events: 'received_at',
  redemption_quotes: 'created_at',
  adjustments: 'requested_at',
  program_versions: 'published_at',
  webhook_endpoints: 'activated_at',
};

const NEWEST = Object.entries(RECORDED)
  .map(([table, column]) => `(select max(${column}) from ${table} where environment_id = $1::uuid)`)
  .join(',\n        ');

/** Waits until nobody closes days of the environment, and keeps them as they are until the transaction ends. */
export function lockClosedDays(environmentId: string): Statement {
  return {
    name: 'lock_closed_days',
    text: 'select from ledger_rollups where environment_id = $1::uuid for update',
    values: [environmentId],
  };
}

/**
 * Reads the time of the newest record of an environment, or the end of its last closed day where that is later, as
 * `newestAt`; null where it has neither. Entries of the audit trail do not count: they are in the order of their seals.
 */
export function readNewest(environmentId: string): Statement {
  return {
    name: 'newest_record',
    text: `select greatest(
        ${NEWEST},
        (select (closed_through + 1)::timestamp at time zone 'UTC' from ledger_rollups where environment_id = $1::uuid)
      ) as "newestAt"`,
    values: [environmentId],
  };
}
