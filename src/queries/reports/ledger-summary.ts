import type { LedgerSummary } from '../../contract/generated/types.ts';
import { ENVIRONMENT_TIME } from '../../db/environment-time.ts';
import type { Connections } from '../../db/pool.ts';
import { programNotFound, type Refusal } from '../../refusal.ts';
import { checkWindow } from '../shared/check-window.ts';
import type { ReportReads } from '../shared/replica.ts';
import { stretchesOf } from './ledger-close/period.ts';

/** The longest window, in days (specification, "Ledger summary window"). */
const WINDOW_DAYS = 90;

/** The scope of a summary: one program, or all where `programId` is null; `from` inclusive, `to` exclusive. */
export interface SummaryQuery {
  programId: string | null;
  from: Date;
  to: Date;
}

/**
 * Reads totals of points, transactions, redemptions and webhook deliveries. Points moved, transactions and deliveries
 * are counted in the window; balances and reservations are those of now. For closed days the stored totals are read
 * instead of the postings.
 * @param connections to the primary, which tells the time
 * @param environmentId UUID
 * @param elsewhere reads the totals, where the primary should not
 * @returns the totals; or a refusal: `invalid_window`, `program_not_found`
 */
export async function readLedgerSummary(
  connections: Connections,
  environmentId: string,
  { programId, from, to }: SummaryQuery,
  elsewhere: ReportReads = (work) => work(connections),
): Promise<Omit<LedgerSummary, 'requestId'> | Refusal> {
  const scope = await connections.query<ScopeRow>({
    name: 'summary_scope',
    text: SCOPE,
    values: [environmentId, programId],
  });
  const { now, closed_through, known } = scope.rows[0] as ScopeRow;
  const refusal = checkWindow({ from, to }, WINDOW_DAYS, now);
  if (refusal) return refusal;
  if (!known) return programNotFound;
  const { closed } = stretchesOf({ from, to }, closed_through);
  const values = [environmentId, programId, from, to, closed?.from ?? null, closed?.to ?? null];
  const { rows } = await elsewhere((reading) =>
    reading.query<SummaryRow>({ name: 'summary', text: SUMMARY, values }),
  );
  const { credits, debits, ...totals } = (rows[0] as SummaryRow).summary;
  return {
    programId,
    from: from.toISOString(),
    to: to.toISOString(),
    ...totals,
    points: { credits, debits, net: String(BigInt(credits) - BigInt(debits)) },
  };
}

interface ScopeRow {
  now: Date;
  closed_through: string | null;
  known: boolean;
}

interface SummaryRow {
  summary: Pick<LedgerSummary, 'transactions' | 'balances' | 'redemptions' | 'webhookDeliveries'> & {
    credits: string;
    debits: string;
  };
}

const SCOPE = `
  select date_trunc('milliseconds', ${ENVIRONMENT_TIME}) as now,
    (select closed_through::text from ledger_rollups where environment_id = $1::uuid) as closed_through,
    $2::text is null or exists (select from programs where environment_id = $1::uuid and id = $2) as known`;

const COUNTS = (column: string, states: readonly [name: string, state: string][]): string =>
  `json_build_object(${states
    .map(([name, state]) => `'${name}', count(*) filter (where ${column} = '${state}')`)
    .join(', ')})`;

const OF_PROGRAM = 'environment_id = $1::uuid and ($2::text is null or program_id = $2)';
const IN_WINDOW = 'created_at >= $3::timestamptz and created_at < $4::timestamptz';

/** The index of reservations by state has no null: the planner uses it where this is said. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

// How many reservations are in each state. Most have been committed, released or have expired: those are counted by the
// transactions that made them so, on closed days by the day, so that not every reservation that there ever was is read.
const REDEMPTIONS = `
  select json_build_object('reserved', present.reserved, 'committed', became.committed - present.reversed,
    'released', became.released, 'expired', became.expired, 'reversed', present.reversed)
  from (
    select count(*) filter (where state = 'reserved') as reserved, count(*) filter (where state = 'reversed') as reversed
    from redemption_reservations
    where ${OF_PROGRAM} and state in ('reserved', 'reversed') and id >= '${FIRST_ID}'
  ) as present
  cross join (
    select ${['committed', 'released', 'expired']
      .map(
        (state) =>
          `coalesce(sum(times) filter (where event_type = 'redemption.${state}'), 0)::bigint as ${state}`,
      )
      .join(', ')}
    from (
      select event_type, transactions as times from ledger_days
      where ${OF_PROGRAM} and event_type in ('redemption.committed', 'redemption.released', 'redemption.expired')
      union all
      select event_type, 1 from transactions
      where ${OF_PROGRAM} and event_type in ('redemption.committed', 'redemption.released', 'redemption.expired')
        and created_at >= coalesce((
          select (closed_through + 1)::timestamp at time zone 'UTC' from ledger_rollups where environment_id = $1::uuid
        ), '-infinity')
    ) as part
  ) as became`;

// $5 and $6: the closed days in the window, from inclusive, to exclusive. Their postings are not read.
const SUMMARY = `
  with moved as (
    select debit_account, credit_account, amount from postings
    where ${OF_PROGRAM} and ${IN_WINDOW}
      and (created_at < coalesce($5::timestamptz, 'infinity') or created_at >= $6::timestamptz)
    union all
    select debit_account, credit_account, amount from ledger_days
    where ${OF_PROGRAM} and day >= ($5::timestamptz at time zone 'UTC')::date
      and day < ($6::timestamptz at time zone 'UTC')::date
  ), points as (
    -- What moves between two accounts of one person is neither earned nor spent.
    select coalesce(sum(amount) filter (where credit_account = 'member.available'), 0)::text as credits,
      coalesce(sum(amount) filter (where debit_account = 'member.available'), 0)::text as debits
    from moved
    where 'program.transfer' not in (debit_account, credit_account)
  )
  select json_build_object(
    'credits', points.credits,
    'debits', points.debits,
    'transactions', (
      select json_build_object('posted', count(*), 'reversed', count(*) filter (where state = 'reversed'))
      from transactions where ${OF_PROGRAM} and created_at > '-infinity' and ${IN_WINDOW}
    ),
    'balances', (
      select json_build_object('members', count(distinct member_id) filter (where enrolled),
        'available', coalesce(sum(available), 0)::text, 'pending', coalesce(sum(pending), 0)::text,
        'reserved', coalesce(sum(reserved), 0)::text)
      from program_profiles where ${OF_PROGRAM}
    ),
    'redemptions', (${REDEMPTIONS}),
    'webhookDeliveries', (
      select ${COUNTS('status', [
        ['pending', 'pending'],
        ['delivered', 'delivered'],
        ['failed', 'failed'],
        ['deadLetter', 'dead_letter'],
      ])}
      from webhook_deliveries d
      where environment_id = $1::uuid and ${IN_WINDOW}
        -- Each event is looked up by its id: a join would read all that there ever were.
        and ($2::text is null or $2 = (
          select e.program_id from events e where e.environment_id = $1::uuid and e.id = d.event_id
        ))
    )
  ) as summary
  from points`;
