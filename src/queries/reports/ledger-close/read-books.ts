import type { ClientBase } from 'pg';
import { movedSql } from '../../../ledger/closed-days/roll-up.ts';
import { type Compared, type ComparedRow, comparedOf, one } from './compared.ts';
import type { CohortSum } from './liability.ts';
import type { PairSum } from './movements.ts';
import type { Stretches, Window } from './period.ts';
import { type HeldLots, readLots } from './read-lots.ts';

/** What was posted between two accounts before, in and after the period. */
export interface PairParts extends Omit<PairSum, 'amount'> {
  opening: bigint;
  inside: bigint;
  /**
   * Everything until the end of the period. Summed independently of `opening` and `inside` where closed days allow it.
   */
  closing: bigint;
  after: bigint;
  /** The number of postings in the period. */
  postings: bigint;
  transactions: bigint;
}

/** Points of the three accounts of members. */
export interface Balances {
  available: bigint;
  pending: bigint;
  reserved: bigint;
}

/**
 * Everything that a close report is made from. It consists of sums, so its size does not depend on the number of
 * postings.
 */
export interface Books {
  pairs: PairParts[];
  /** The balances of all profiles, now. */
  balances: Balances;
  /**
   * Members with movement in the period: opening and movements, compared with the balance less what was posted later.
   */
  members: Compared;
  /** All profiles: postings compared with balances, now. */
  postings: Compared;
  /** All profiles: lots compared with balances, now. */
  lots: Compared;
  /** The points of the lots at the end of the period, by the dates that the lots had then. Sums of 0 are left out. */
  cohorts: CohortSum[];
}

/**
 * Reads the books of a program over a period.
 * @param clients two connections that see one snapshot, to read at the same time; or the same connection twice
 */
export async function readBooks(
  [client, other]: readonly [ClientBase, ClientBase],
  environmentId: string,
  programId: string,
  window: Window,
  stretches: Stretches,
): Promise<Books> {
  const scope = [environmentId, programId];
  const { from, to } = window;
  const { openingFrom, closed, closingFrom, openSince } = stretches;
  const open = [openingFrom, closed?.from ?? null, closed?.to ?? null, closingFrom, openSince];
  const readMoved = async (): Promise<{ moved: MovedRow; days: DaysRow[] }> => {
    // Without statistics the planner would consider nested loops over whole tables cheap.
    await client.query('set local enable_nestloop = off');
    const moved = await one<MovedRow>(client, {
      name: 'close_moved',
      text: MOVED,
      values: [...scope, from, to, ...open],
    });
    const { rows: days } = await client.query<DaysRow>({
      name: 'close_days',
      text: DAYS,
      values: [...scope, ...[openingFrom, closed?.from, closed?.to, closingFrom].map(dayText)],
    });
    return { moved, days };
  };
  const lots = (): Promise<HeldLots> => readLots(other, environmentId, programId, to);
  const [{ moved, days }, held] =
    client === other ? [await readMoved(), await lots()] : await together(readMoved(), lots());
  return {
    pairs: pairsOf(days, moved.pairs ?? [], closingFrom === null || closingFrom <= from),
    balances: {
      available: BigInt(moved.available),
      pending: BigInt(moved.pending),
      reserved: BigInt(moved.reserved),
    },
    members: comparedOf(moved.members),
    postings: comparedOf(moved.postings),
    lots: held.lots,
    cohorts: held.cohorts,
  };
}

/** Waits until both have ended, so that their connections are free again. @throws the first error */
async function together<A, B>(a: Promise<A>, b: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([a, b]);
  return Promise.all([a, b]);
}

function pairsOf(
  days: readonly DaysRow[],
  moved: readonly MovedPair[],
  closingAtOpening: boolean,
): PairParts[] {
  const pairs = new Map<string, PairParts>();
  const pairOf = ({ debitAccount, creditAccount, eventType }: PairKey): PairParts => {
    const key = JSON.stringify([debitAccount, creditAccount, eventType]);
    const zero = { opening: 0n, inside: 0n, closing: 0n, after: 0n, postings: 0n, transactions: 0n };
    const pair = pairs.get(key) ?? { debitAccount, creditAccount, eventType, ...zero };
    pairs.set(key, pair);
    return pair;
  };
  for (const row of days) {
    const pair = pairOf(row);
    pair.opening += BigInt(row.opening);
    pair.inside += BigInt(row.inside);
    pair.closing += BigInt(row.closing);
    pair.postings += BigInt(row.postings);
    pair.transactions += BigInt(row.transactions);
  }
  for (const row of moved) {
    const pair = pairOf(row);
    const amount = BigInt(row.amount);
    const inside = row.part === PART.head || row.part === PART.tail;
    if (row.part === PART.before) pair.opening += amount;
    if (row.part === PART.after) pair.after += amount;
    if (row.part === PART.tail || (closingAtOpening && row.part !== PART.after)) pair.closing += amount;
    if (!inside) continue;
    pair.inside += amount;
    pair.postings += BigInt(row.postings);
    pair.transactions += BigInt(row.transactions);
  }
  return [...pairs.values()];
}

/**
 * The part of time in which a posting lies. The postings of the period are `head` before the instant from which the
 * closing is summed from postings (`closingFrom`), and `tail` from that instant on.
 */
const PART = { before: 0, head: 1, tail: 2, after: 3 } as const;

interface PairKey {
  debitAccount: string;
  creditAccount: string;
  eventType: string | null;
}

interface MovedPair extends PairKey {
  part: number;
  amount: string;
  postings: string;
  transactions: string;
}

interface MovedRow extends Record<keyof Balances, string> {
  pairs: MovedPair[] | null;
  members: ComparedRow;
  postings: ComparedRow;
}

interface DaysRow
  extends PairKey,
    Record<'opening' | 'inside' | 'closing' | 'postings' | 'transactions', string> {}

function dayText(midnight: Date | null | undefined): string | null {
  return midnight?.toISOString().slice(0, 10) ?? null;
}

// For adjustments and exchanges the event type tells a reversal from the original. For the rest the accounts suffice.
const NEEDS_EVENT = (alias: string): string => `
  ${alias}.debit_account in ('program.adjustment', 'program.clearing')
    or ${alias}.credit_account in ('program.adjustment', 'program.clearing')`;

const ADDED = (name: string, condition: string): string =>
  (['available', 'pending', 'reserved'] as const)
    .map(
      (balance) => `coalesce(sum(${movedSql(balance)}) filter (where ${condition}), 0) as ${name}_${balance}`,
    )
    .join(', ');

const TRIPLE = (name: string): string => `(${name}_available, ${name}_pending, ${name}_reserved)`;
const TOTAL = (name: string): string => `${name}_available + ${name}_pending + ${name}_reserved`;

// $1 environment, $2 program, $3 from, $4 to. All spans are half-open. Closed days give the opening before $5, the
// movements from $6 to $7 and the closing before $8; $9 is the end of the last closed day. Postings are read only for
// the rest of the time, each once.
const MOVED = `
  with moved as materialized (
    select p.member_id,
      case when p.created_at < $3::timestamptz then ${PART.before}
        when p.created_at >= $4::timestamptz then ${PART.after}
        when p.created_at < $8::timestamptz then ${PART.head}
        else ${PART.tail} end as part,
      p.created_at >= coalesce($9::timestamptz, '-infinity') as unclosed, p.debit_account, p.credit_account,
      case when ${NEEDS_EVENT('p')} then p.transaction_id end as transaction_id,
      sum(p.amount)::bigint as amount, count(*) as postings, count(*) filter (where p.line = 1) as transactions
    from postings p
    where p.environment_id = $1::uuid and p.program_id = $2
      and p.created_at >= coalesce($5::timestamptz, '-infinity')
      and (p.created_at < coalesce($6::timestamptz, 'infinity') or p.created_at >= $7::timestamptz)
    group by 1, 2, 3, 4, 5, 6
  ), moved_members as (
    select p.member_id, bool_or(part in (${PART.head}, ${PART.tail})) as inside,
      ${ADDED('before', `part = ${PART.before}`)},
      ${ADDED('inside', `part in (${PART.head}, ${PART.tail})`)},
      ${ADDED('after', `part = ${PART.after}`)},
      ${ADDED('unclosed', 'unclosed')}
    from moved p
    group by p.member_id
  ), closed_members as (
    select member_id, sum(available_moved) as available, sum(pending_moved) as pending,
      sum(reserved_moved) as reserved
    from member_days
    where environment_id = $1::uuid and program_id = $2
      and day >= ($6::timestamptz at time zone 'UTC')::date and day < ($7::timestamptz at time zone 'UTC')::date
    group by member_id
  ), sides as (
    select p.available as now_available, p.pending as now_pending, p.reserved as now_reserved,
      coalesce(last.available, 0) + coalesce(m.unclosed_available, 0) as posted_available,
      coalesce(last.pending, 0) + coalesce(m.unclosed_pending, 0) as posted_pending,
      coalesce(last.reserved, 0) + coalesce(m.unclosed_reserved, 0) as posted_reserved,
      c.member_id is not null or coalesce(m.inside, false) as moved,
      coalesce(opening.available, 0) + coalesce(m.before_available, 0) + coalesce(c.available, 0)
        + coalesce(m.inside_available, 0) as forward_available,
      coalesce(opening.pending, 0) + coalesce(m.before_pending, 0) + coalesce(c.pending, 0)
        + coalesce(m.inside_pending, 0) as forward_pending,
      coalesce(opening.reserved, 0) + coalesce(m.before_reserved, 0) + coalesce(c.reserved, 0)
        + coalesce(m.inside_reserved, 0) as forward_reserved,
      p.available - coalesce(m.after_available, 0) as back_available,
      p.pending - coalesce(m.after_pending, 0) as back_pending,
      p.reserved - coalesce(m.after_reserved, 0) as back_reserved
    from program_profiles p
    left join moved_members m on m.member_id = p.member_id
    left join closed_members c on c.member_id = p.member_id
    left join lateral (
      select available, pending, reserved from member_days
      where $9::timestamptz is not null
        and environment_id = $1::uuid and program_id = $2 and member_id = p.member_id
      order by day desc limit 1
    ) as last on true
    left join lateral (
      select available, pending, reserved from member_days
      where (m.inside or c.member_id is not null)
        and environment_id = $1::uuid and program_id = $2 and member_id = p.member_id
        and day < ($5::timestamptz at time zone 'UTC')::date
      order by day desc limit 1
    ) as opening on true
    where p.environment_id = $1::uuid and p.program_id = $2
  )
  select coalesce(sum(now_available), 0)::text as available, coalesce(sum(now_pending), 0)::text as pending,
    coalesce(sum(now_reserved), 0)::text as reserved,
    json_build_object('expected', coalesce(sum(${TOTAL('posted')}), 0)::text,
      'found', coalesce(sum(${TOTAL('now')}), 0)::text,
      'differences', count(*) filter (where ${TRIPLE('posted')} <> ${TRIPLE('now')})) as postings,
    json_build_object('expected', coalesce(sum(${TOTAL('forward')}) filter (where moved), 0)::text,
      'found', coalesce(sum(${TOTAL('back')}) filter (where moved), 0)::text,
      'differences', count(*) filter (where moved and ${TRIPLE('forward')} <> ${TRIPLE('back')})) as members,
    (select json_agg(json_build_object('part', part, 'debitAccount', debit_account, 'creditAccount', credit_account,
        'eventType', event_type, 'amount', amount::text, 'postings', postings::text,
        'transactions', transactions::text))
      from (select part, debit_account, credit_account, event_type, sum(amount) as amount,
          sum(postings) as postings, sum(transactions) as transactions
        from (select m.*, case when m.transaction_id is not null then (
            select event_type from transactions where environment_id = $1::uuid and id = m.transaction_id
          ) end as event_type from moved m) as named
        group by 1, 2, 3, 4) as pair) as pairs
  from sides`;

const DAYS = `
  select debit_account as "debitAccount", credit_account as "creditAccount",
    case when ${NEEDS_EVENT('d')} then event_type end as "eventType",
    coalesce(sum(amount) filter (where day < $3::date), 0)::text as opening,
    coalesce(sum(amount) filter (where day >= $4::date and day < $5::date), 0)::text as inside,
    coalesce(sum(amount) filter (where day < $6::date), 0)::text as closing,
    coalesce(sum(postings) filter (where day >= $4::date and day < $5::date), 0)::text as postings,
    coalesce(sum(transactions) filter (where day >= $4::date and day < $5::date), 0)::text as transactions
  from ledger_days d
  where environment_id = $1::uuid and program_id = $2 and day < $6::date
  group by 1, 2, 3`;
