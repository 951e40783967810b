import type { Pool } from 'pg';
import { receiptSql, templateSql, wholeReceipt } from '../../../../src/ledger/receipts/stored-receipt.ts';

/** The tables whose rows belong to a member. */
const OF_MEMBERS = [
  'program_profiles',
  'transactions',
  'postings',
  'lots',
  'limit_counters',
  'orders',
  'adjustments',
  'redemption_quotes',
  'redemption_reservations',
  'custom_events',
  'challenge_progress',
  'choice_grants',
  'choice_claims',
  'events',
];

/** SQL: the ids of the members of a run, whose prefix is `$2`. */
const MEMBERS = `select id from members where environment_id = $1::uuid and starts_with(external_customer_id, $2)`;

/** SQL by table: the rows that belong to a run, as `r`. */
const ROWS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(OF_MEMBERS.map((table) => [table, `r.member_id in (${MEMBERS})`])),
  returns: 'starts_with(r.source_reference, $2)',
  redemption_disputes: `r.reservation_id in (
    select id from redemption_reservations where environment_id = $1::uuid and member_id in (${MEMBERS}))`,
  reward_stocks: 'starts_with(r.reward_id, $2)',
  shared_counters: `starts_with(split_part(r.counter_id, ':', 2), $2)`,
  idempotency_keys: 'starts_with(r.key, $2)',
  // Only runs with an environment of their own have endpoints.
  webhook_endpoints: 'true',
  webhook_deliveries: 'true',
};

const STORED = `select json_build_object(
  ${Object.entries(ROWS)
    .map(
      ([table, condition]) =>
        `'${table}', (select json_agg(to_jsonb(r) - 'fingerprint') from ${table} r
          where r.environment_id = $1::uuid and ${condition})`,
    )
    .join(',\n  ')},
  'activity is the latest', (
    select json_agg(p.last_activity_at >= all (
        select created_at from transactions t
        where t.environment_id = $1::uuid and t.member_id = p.member_id and t.program_id = p.program_id))
    from program_profiles p where p.environment_id = $1::uuid and p.member_id in (${MEMBERS})),
  'locked', (select locked from environments where id = $1::uuid)
) as stored`;

/**
 * Everything that is stored of a run: the rows of its members, and what has its prefix in its name. Ids and instants
 * are replaced by placeholders, so that runs can be compared.
 */
export async function storedOf(pool: Pool, environmentId: string, run: string): Promise<unknown> {
  const { rows } = await pool.query<{ stored: Record<string, object[] | null> }>(STORED, [
    environmentId,
    run,
  ]);
  const { transactions, ...others } = rows[0]?.stored ?? {};
  const receipts = await receiptsOf(pool, environmentId, run);
  const withReceipts = (transactions as { id: string }[] | null | undefined)?.map((transaction) => ({
    ...transaction,
    receipt: receipts.get(transaction.id),
  }));
  const stored = comparable({ ...others, transactions: withReceipts ?? null }, run) as Record<
    string,
    unknown
  >;
  return Object.fromEntries(
    Object.entries(stored).map(([name, of]) => [name, Array.isArray(of) ? of.map(textOf).sort() : of]),
  );
}

/**
 * The receipts of a run's transactions by their ids, whole: which of them have a template depends on what the process
 * has seen.
 */
async function receiptsOf(pool: Pool, environmentId: string, run: string): Promise<Map<string, object>> {
  const { rows } = await pool.query<{ id: string; receipt: object }>(
    `select t.id, ${receiptSql('t')} as receipt from transactions t ${templateSql('t')}
      where t.environment_id = $1::uuid and t.member_id in (${MEMBERS})`,
    [environmentId, run],
  );
  return new Map(rows.map(({ id, receipt }) => [id, wholeReceipt(receipt)]));
}

/** A result or stored rows, with placeholders for ids, instants and the run's prefix. */
export function comparable(value: unknown, run: string): unknown {
  const text = JSON.stringify(value ?? null)
    .replaceAll(run, '')
    .replaceAll(/\b[a-z]{3}_[0-9a-z]{26}\b/g, '<id>')
    .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|\+00:00))?/g, '<time>');
  return JSON.parse(text);
}

function textOf(row: unknown): string {
  return JSON.stringify(row);
}
