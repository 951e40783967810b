import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../db/in-transaction.ts';
import { toTypeId } from '../ids.ts';
import { readReceipt } from '../ledger/receipts/stored-receipt.ts';
import { type ReferenceKind, referenceName } from '../ledger/tables/erased-references.ts';
import { EVERY_TABLE } from '../ledger/tables/every-handling.ts';
import type { ProgramDocument } from '../programs/document/program-document.ts';
import type { PurchaseReceipt } from '../queries/transactions/recorded-award.ts';
import { eraseKeys } from './erase-keys.ts';
import { DELIVERIES, ERASED_TABLES, type ErasedTable, EVENTS } from './erased-tables.ts';
import {
  type EventRow,
  FIRST_ID,
  forgetReferralCodes,
  forgetResponses,
  lockRows,
  nextTransactions,
  OF_AN_ORDER,
  type OrderRow,
  ordersOf,
  ownOrders,
  pageOf,
  pageOfEvents,
  type Renamed,
  renameOrders,
  renameReturns,
  renameSettlements,
  renameTransactions,
  rewardsOfOthers,
  TRANSACTIONS,
  type TransactionRow,
  transactionsBeside,
  undoneMerges,
  updateOrderLines,
  updateReceipts,
  updateRows,
} from './erasure-statements.ts';
import { ERASED, type ErasedMember, Forgotten } from './forgotten.ts';
import { forgottenPurchase } from './forgotten-purchase.ts';
import { keepUsed } from './used-references.ts';

/** A part of an erasure: it looks through one table. Interrupted, it can be run again. */
export type ErasureStep = (pool: Pool, member: ErasedMember) => Promise<void>;

/** What is left to do once a member has its new id, in order. */
export const ERASURE_STEPS: readonly ErasureStep[] = [
  eraseTransactions,
  ...ERASED_TABLES.map(
    (table): ErasureStep =>
      (pool, member) =>
        eraseRows(pool, member, table),
  ),
  eraseEventsBeside,
  eraseKeys,
  eraseResponses,
  async (pool, member) => {
    await pool.query(forgetReferralCodes(member));
  },
];

/** The tables whose rows an erasure replaces, for VACUUM. */
export const TOUCHED_TABLES: readonly string[] = EVERY_TABLE.flatMap(({ name, handling: { erasure } }) =>
  erasure === 'nothing' ? [] : [name],
);

/** Calls `work` with the ids of the member's rows in each page of a table. */
async function eachPage(
  pool: Pool,
  member: ErasedMember,
  table: Pick<ErasedTable, 'name' | 'owner'>,
  work: (ids: string[]) => Promise<void>,
): Promise<void> {
  let after = FIRST_ID;
  for (;;) {
    const { rows } = await pool.query<{ id: string; is_own: boolean; is_last: boolean }>(
      pageOf(table, member, after),
    );
    const ownRows = rows.filter(({ is_own }) => is_own);
    if (ownRows.length > 0) await work(ownRows.map(({ id }) => id));
    const last = rows.at(-1);
    if (!last?.is_last) return;
    after = last.id;
  }
}

async function eraseRows(pool: Pool, member: ErasedMember, table: ErasedTable): Promise<void> {
  const { environmentId } = member;
  const forgotten = new Forgotten(member);
  await eachPage(pool, member, table, (ids) =>
    inTransaction(pool, async (client) => {
      const { rows } = await client.query<{ id: string } & Record<string, unknown>>(
        lockRows(table, environmentId, ids),
      );
      const changed = rows.map(({ id, ...columns }) => ({ id, ...table.change(columns, forgotten, id) }));
      await client.query(updateRows(table, environmentId, changed));
      const { usedOnce } = table;
      if (!usedOnce) return;
      const references = rows.map(({ source_reference: of }) => String(of));
      await keepUsed(client, environmentId, namesOf(usedOnce, references, forgotten));
    }),
  );
}

/** Those of the references that are renamed, with what they name. */
function namesOf(kind: ReferenceKind, references: readonly string[], forgotten: Forgotten): string[] {
  return references.filter((text) => forgotten.isIn(text)).map((text) => referenceName(kind, text));
}

/**
 * Events of other members that name this one: about what they got for its purchases, which have their references, and
 * about merges that were undone.
 */
async function eraseEventsBeside(pool: Pool, member: ErasedMember): Promise<void> {
  const forgotten = new Forgotten(member);
  const rewards = await pool.query<{ id: string }>(rewardsOfOthers(member));
  const merges = await pool.query<{ id: string }>(undoneMerges(member));
  const about = [
    ...rewards.rows.map(({ id }) => toTypeId('txn', id)),
    ...merges.rows.map(({ id }) => toTypeId('mrg', id)),
  ];
  if (about.length === 0) return;
  let after = FIRST_ID;
  for (;;) {
    const page = await pool.query<EventRow>(pageOfEvents(member, after, about));
    const matches = page.rows.filter(({ is_found }) => is_found);
    const changed = matches.map(({ id, data }) => ({ id, data: forgotten.json(data) }));
    if (changed.length > 0) await pool.query(updateRows(EVENTS, member.environmentId, changed));
    const last = page.rows.at(-1);
    if (!last?.is_last) return;
    after = last.id;
  }
}

async function eraseResponses(pool: Pool, member: ErasedMember): Promise<void> {
  await eachPage(pool, member, DELIVERIES, async (ids) => {
    await pool.query(forgetResponses(member.environmentId, ids));
  });
}

async function eraseTransactions(pool: Pool, member: ErasedMember): Promise<void> {
  const documents = new Documents(pool, member.environmentId);
  const forgotten = new Forgotten(member);
  let after = { at: '-infinity', id: FIRST_ID };
  for (;;) {
    const { rows } = await pool.query<TransactionRow>(nextTransactions(member, after));
    const ofOthers = await rewardsForOrdersOfOthers(pool, member, rows);
    const receipts: { id: string; receipt: object }[] = [];
    for (const row of rows) {
      const receipt = ofOthers.has(row.id)
        ? withoutCode(row.receipt, member)
        : await forgottenReceipt(row, member, forgotten, documents);
      receipts.push({ id: row.id, receipt });
    }
    await inTransaction(pool, async (client) => {
      await client.query(updateReceipts(member.environmentId, receipts));
      await eraseReferences(client, member, forgotten, rows);
    });
    const last = rows.at(-1);
    if (!last || rows.length < TRANSACTIONS) return;
    after = last;
  }
}

async function forgottenReceipt(
  { id, program_id, event_type, receipt }: TransactionRow,
  member: ErasedMember,
  forgotten: Forgotten,
  documents: Documents,
): Promise<object> {
  if (event_type === 'purchase.completed') {
    const purchase = readableReceipt(receipt, id);
    // Nobody can tell what in it was typed about the member: nothing of it stays. The points do.
    if (!purchase) return {};
    const document = await documents.of(program_id, purchase.configurationVersion);
    return forgottenPurchase(purchase, document, forgotten);
  }
  return forgotten.json(withoutCode(receipt, member));
}

/** @param id UUID of the transaction. @returns null where the receipt cannot be read */
function readableReceipt(receipt: object | null, id: string): PurchaseReceipt | null {
  const purchase = readReceipt(receipt, id);
  return 'evidence' in purchase && purchase.evidence ? (purchase as PurchaseReceipt) : null;
}

/** Takes the member's own referral code out of the receipt of a referral. */
function withoutCode(receipt: Record<string, unknown>, { memberId }: ErasedMember): Record<string, unknown> {
  const { referral } = receipt as { referral?: { code?: string; referrerId?: string } };
  if (referral?.referrerId !== toTypeId('mem', memberId)) return receipt;
  return { ...receipt, referral: { ...referral, code: ERASED } };
}

/** Transactions of the member about orders of others, whose references stay: their ids. */
async function rewardsForOrdersOfOthers(
  pool: Pool,
  member: ErasedMember,
  rows: readonly TransactionRow[],
): Promise<ReadonlySet<string>> {
  const rewards = rows.filter(({ event_type }) => OF_AN_ORDER.includes(event_type));
  const references = rewards.flatMap(({ source_reference: of }) => of ?? []);
  const ownRows = await pool.query<{ source_reference: string }>(ownOrders(member, references));
  const ownReferences = new Set(ownRows.rows.map(({ source_reference: of }) => of));
  return new Set(
    rewards.filter(({ source_reference: of }) => of === null || !ownReferences.has(of)).map(({ id }) => id),
  );
}

/** Events whose transactions have the reference of a settlement with a partner, or of its reversal. */
const OF_A_SETTLEMENT: ReadonlySet<string> = new Set(['exchange.settled', 'exchange.reversed']);

/**
 * The orders, returns and settlements of these transactions: their names without the member's id, and the names of
 * their lines.
 */
async function eraseReferences(
  client: PoolClient,
  member: ErasedMember,
  forgotten: Forgotten,
  rows: readonly TransactionRow[],
): Promise<void> {
  const { environmentId } = member;
  // A referral has the reference of its purchase, which may be another member's.
  const ownEvents = rows.filter(({ event_type }) => !OF_AN_ORDER.includes(event_type));
  const referencesOf = (subset: readonly TransactionRow[]): string[] => [
    ...new Set(subset.flatMap(({ source_reference: of }) => of ?? [])),
  ];
  const purchases = referencesOf(rows.filter(({ event_type }) => event_type === 'purchase.completed'));
  const settlements = referencesOf(rows.filter(({ event_type }) => OF_A_SETTLEMENT.has(event_type)));
  const { rows: orders } = await client.query<OrderRow>(ordersOf(environmentId, purchases));
  const withLines = orders.filter(({ lines, returned_lines }) => lines !== null || returned_lines !== null);
  const lines = withLines.map(({ source_reference, lines, returned_lines }) => ({
    source_reference,
    lines: forgotten.json(lines),
    returned_lines: returned_lines && forgotten.keys(returned_lines),
  }));
  await client.query(updateOrderLines(environmentId, lines));
  const rename = (names: readonly string[]): Renamed[] =>
    names.filter((name) => forgotten.isIn(name)).map((old) => ({ old, new: forgotten.reference(old) }));
  const returns = orders.flatMap((order) => order.returns);
  const renamedReturns = rename(returns);
  const renamed = rename(referencesOf(ownEvents));
  if (renamedReturns.length === 0 && renamed.length === 0) return;
  const beside = await client.query<TransactionRow>(transactionsBeside(member, purchases));
  const receipts = beside.rows.map(({ id, receipt }) => ({ id, receipt: forgotten.json(receipt) }));
  await client.query(updateReceipts(environmentId, receipts));
  await client.query(renameReturns(environmentId, renamedReturns));
  const amongRenamed = (names: readonly string[]) => renamed.filter(({ old }) => names.includes(old));
  await client.query(renameOrders(environmentId, amongRenamed(purchases)));
  await client.query(renameSettlements(environmentId, amongRenamed(settlements)));
  const ids = ownEvents.map(({ id }) => id);
  await client.query(renameTransactions(environmentId, renamed, ids, purchases));
  await keepUsed(client, environmentId, [
    ...namesOf('order', purchases, forgotten),
    ...namesOf('return', returns, forgotten),
    ...namesOf('exchangeSettlement', settlements, forgotten),
  ]);
}

/** The documents of published versions, each read once. */
class Documents {
  readonly #pool: Pool;
  readonly #environmentId: string;
  readonly #cache = new Map<string, ProgramDocument | null>();

  constructor(pool: Pool, environmentId: string) {
    this.#pool = pool;
    this.#environmentId = environmentId;
  }

  async of(programId: string, version: number): Promise<ProgramDocument | null> {
    const name = `${version} ${programId}`;
    const cached = this.#cache.get(name);
    if (cached !== undefined) return cached;
    const { rows } = await this.#pool.query<{ document: ProgramDocument }>({
      name: 'erasure_document',
      text: `select document from program_versions
        where environment_id = $1::uuid and program_id = $2::text and version = $3::integer`,
      values: [this.#environmentId, programId, version],
    });
    const document = rows[0]?.document ?? null;
    this.#cache.set(name, document);
    return document;
  }
}
