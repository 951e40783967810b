import { adjustments } from './adjustments.ts';
import { audits } from './audit-events.ts';
import { campaignAwards } from './campaign-awards.ts';
import { challengeProgress } from './challenge-progress.ts';
import { choiceClaims } from './choice-claims.ts';
import { choiceGrants } from './choice-grants.ts';
import { consents } from './consent-records.ts';
import { couponCodes } from './coupon-codes.ts';
import { couponRedemptions } from './coupon-redemptions.ts';
import { customEvents } from './custom-events.ts';
import { events } from './events.ts';
import { exchangeSettlements } from './exchange-settlements.ts';
import { expiryNotices } from './expiry-notices.ts';
import { idempotency } from './idempotency-keys.ts';
import { limitCounters } from './limit-counters.ts';
import type { LookUp, LookUpKey } from './look-up.ts';
import { lotExpiryChanges } from './lot-expiry-changes.ts';
import { lots } from './lots.ts';
import { memberMerges } from './member-merges.ts';
import { members } from './members.ts';
import { mergeUndos } from './merge-undos.ts';
import { operations } from './operations.ts';
import { orders } from './orders.ts';
import { postings } from './postings.ts';
import { profiles } from './program-profiles.ts';
import { disputes } from './redemption-disputes.ts';
import { quotes } from './redemption-quotes.ts';
import { reservations } from './redemption-reservations.ts';
import { returns } from './returns.ts';
import { stocks } from './reward-stocks.ts';
import { sharedCounters } from './shared-counters.ts';
import type { Table } from './table.ts';
import { transactions } from './transactions.ts';
import { webhookDeliveries } from './webhook-deliveries.ts';
import { webhookEndpoints } from './webhook-endpoints.ts';

/**
 * Every table that batches read or write, by its name in decisions. The order is that of writes, parents before their
 * children, and, after the profiles, of look-ups and locks: stocks, shared counters and codes of coupons are locked in
 * this order.
 */
export const TABLES = {
  members,
  memberMerges,
  mergeUndos,
  profiles,
  consents,
  transactions,
  lots,
  lotExpiryChanges,
  expiryNotices,
  postings,
  orders,
  campaignAwards,
  returns,
  quotes,
  reservations,
  disputes,
  stocks,
  sharedCounters,
  couponCodes,
  couponRedemptions,
  customEvents,
  challengeProgress,
  choiceGrants,
  choiceClaims,
  adjustments,
  exchangeSettlements,
  limitCounters,
  webhookEndpoints,
  webhookDeliveries,
  operations,
  idempotency,
  audits,
  events,
};

type Tables = typeof TABLES;
export type TableName = keyof Tables;

/** The record of a table's rows. */
export type RecordOf<N extends TableName> = ReturnType<Tables[N]['pick']>;

/** The rows of a table inside a batch. */
export type RowsOf<N extends TableName> = ReturnType<Tables[N]['newRows']>;

/** Every subject and need that look-ups find rows for. */
export type AnyLookUpKey = {
  [N in TableName]: Parameters<Tables[N]['lookUps'][number]['statement']>[1][number];
}[TableName];

/** The tables that decisions insert rows into. */
export type InsertedName = { [N in TableName]: 'set' extends Tables[N]['writes'] ? never : N }[TableName];
/** The tables whose rows decisions update or set. */
export type ChangedName = { [N in TableName]: 'inserted' extends Tables[N]['writes'] ? never : N }[TableName];

/** A look-up with the table that it reads. */
export interface TableLookUp {
  name: TableName;
  table: Table;
  lookUp: LookUp<object>;
}

/** The tables as a list, for code that treats them all alike. */
export const TABLE_LIST: readonly (readonly [TableName, Table])[] = Object.entries(TABLES) as [
  TableName,
  Table,
][];

/**
 * Every look-up, in the order in which a batch sends them. Profiles are locked first and guard all other rows of their
 * member: what is read of them afterwards is what the last batch that held the lock has left, the member's status
 * included.
 */
export const LOOK_UPS: readonly TableLookUp[] = [
  ...lookUpsOf(TABLE_LIST.filter(([name]) => name === 'profiles')),
  ...lookUpsOf(TABLE_LIST.filter(([name]) => name !== 'profiles')),
];

function lookUpsOf(tables: typeof TABLE_LIST): TableLookUp[] {
  return tables.flatMap(([name, table]) => table.lookUps.map((lookUp) => ({ name, table, lookUp })));
}

const FIELDS = new Map<string, readonly string[]>(
  LOOK_UPS.flatMap(({ lookUp }) =>
    Object.entries(lookUp.keyProperties as Readonly<Record<string, readonly string[]>>),
  ),
);

/** The properties that identify a subject or need of a kind; null for a kind that no look-up finds rows for. */
export function fieldsOf({ kind }: LookUpKey): readonly string[] | null {
  return FIELDS.get(kind) ?? null;
}

/** The kinds of subjects of a table, by the properties that identify one: what has to be named to read rows by them. */
const KINDS: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ...Map.groupBy(
      LOOK_UPS.flatMap(({ name, lookUp }) =>
        Object.entries(lookUp.keyProperties as Readonly<Record<string, readonly string[]>>).map(
          ([kind, fields]) => ({
            kind,
            read: readBy(name, fields),
          }),
        ),
      ),
      ({ read }) => read,
    ),
  ].map(([read, kinds]) => [read, kinds.map(({ kind }) => kind)]),
);

function readBy(name: TableName, fields: readonly string[]): string {
  return `${name} ${fields.join(' ')}`;
}

/** The kinds of subjects that have rows of a table loaded by these properties, in the order in which they name them. */
export function kindsBy(name: TableName, fields: readonly string[]): readonly string[] {
  const kinds = KINDS.get(readBy(name, fields));
  if (!kinds) throw new Error(`no subject has rows of ${name} loaded by ${fields.join(', ') || 'nothing'}`);
  return kinds;
}
