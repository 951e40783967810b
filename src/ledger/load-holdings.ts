import type { QueryResultRow } from 'pg';
import { type SharedCounterRow, sharedCounterOf } from './engagement-rows.ts';
import { lockSharedCounters } from './load-engagement.ts';
import * as sql from './load-points.ts';
import { type LotRow, lotOf, type PostingRow, postingOf, type StockRow, stockOf } from './redemption-rows.ts';
import { type OrderRow, orderOf } from './rows.ts';
import type { Statement } from './table.ts';
import type { WorkingSet } from './working-set.ts';

/** Runs a statement on the connection of a batch, or on any other that only reads. */
export type Run = <R extends QueryResultRow>(statement: Statement) => Promise<R[]>;

/** What is known only once profiles, orders, reservations and adjustments are loaded. */
export interface HoldingNeeds {
  /** Transactions whose postings are wanted, with the lots that these name. */
  transactionIds: readonly string[];
  /** Profiles whose due and open lots are wanted. */
  spendings: readonly sql.Spending[];
  rewards: readonly { programId: string; rewardId: string }[];
  counters: readonly { programId: string; counterId: string }[];
}

type WalkRow = LotRow & { covered: number };

/**
 * Loads postings, lots, the orders that have a claim on them, and stocks into a working set: one statement a table,
 * sent together. The stocks are locked; a read names none.
 */
export async function loadHoldings(
  run: Run,
  working: WorkingSet,
  { transactionIds, spendings, rewards, counters }: HoldingNeeds,
): Promise<void> {
  const environmentId = working.environment.id;
  const when = <R extends QueryResultRow>(wanted: boolean, statement: () => Statement): Promise<R[]> =>
    wanted ? run<R>(statement()) : Promise.resolve([]);
  const named = transactionIds.length > 0;
  const spends = spendings.length > 0;
  const [postings, lots, orders, pending, walked, stocks, shared] = await Promise.all([
    when<PostingRow>(named, () => sql.loadPostings(environmentId, transactionIds)),
    when<LotRow>(named, () => sql.loadNamedLots(environmentId, transactionIds)),
    when<OrderRow>(named, () => sql.loadClaimingOrders(environmentId, transactionIds)),
    when<LotRow>(spends, () => sql.loadPendingLots(environmentId, spendings)),
    when<WalkRow>(spends, () => sql.walkOpenLots(environmentId, spendings)),
    when<StockRow>(rewards.length > 0, () => sql.lockStocks(environmentId, rewards)),
    when<SharedCounterRow>(counters.length > 0, () => lockSharedCounters(environmentId, counters)),
  ]);
  const byTransaction = Map.groupBy(postings, (row) => row.transaction_id);
  for (const id of transactionIds) {
    working.loadPostings(id, (byTransaction.get(id) ?? []).map(postingOf));
  }
  for (const row of [...lots, ...pending, ...walked]) working.lots.load(lotOf(row));
  for (const row of orders) working.orders.load(orderOf(row));
  for (const row of stocks) working.stocks.load(stockOf(row));
  for (const row of shared) working.sharedCounters.load(sharedCounterOf(row));
  limitHoldings(working, spendings, walked);
}

/** Where a walk ended because it had found enough, there may be more lots behind it. */
function limitHoldings(
  working: WorkingSet,
  spendings: readonly sql.Spending[],
  walked: readonly WalkRow[],
): void {
  const lastOf = new Map(walked.map((row) => [`${row.member_id} ${row.program_id}`, row]));
  for (const { memberId, programId, points } of spendings) {
    const last = lastOf.get(`${memberId} ${programId}`);
    if (last && last.covered > points) working.limitHolding(programId, memberId, last.id);
  }
}
