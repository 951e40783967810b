import { arrayLiteral } from '../../db/array-literal.ts';
import { OF_MEMBERS } from './handling.ts';
import type { ClaimNeed } from './needs.ts';
import { updatedTable } from './table.ts';

export interface OrderRecord {
  sourceReference: string;
  programId: string;
  memberId: string;
  transactionId: string;
  state: 'active' | 'partially_returned' | 'returned';
  amountMinor: number;
  currency: string;
  points: number;
  returnedMinor: number;
  clawedBack: number;
  /** The items of the purchase; each with the `points` that it earned where the program earns by line. */
  lines: object | null;
  /** Returned quantities by lineReference; null where no return named lines. */
  returnedLines: Readonly<Record<string, number>> | null;
}

/** An order, by the reference of its purchase. */
export interface OrderSubject {
  kind: 'order';
  sourceReference: string;
}

const ofTransaction = { properties: ['transactionId'] } as const;

export const orders = updatedTable<OrderRecord, OrderSubject | ClaimNeed>({
  name: 'orders',
  handling: {
    owner: {
      through: 'transactions',
      on: 'orders.source_reference = transactions.source_reference and orders.transaction_id = transactions.id',
    },
    exported: {
      ids: { member_id: 'mem', transaction_id: 'txn' },
      order: ['transactions.created_at', 'transactions.id'],
    },
    erasure: 'own_step',
    ...OF_MEMBERS,
  },
  columns: {
    sourceReference: 'text',
    programId: 'text',
    memberId: 'uuid',
    transactionId: 'uuid',
    state: 'text',
    amountMinor: 'bigint',
    currency: 'text',
    points: 'bigint',
    returnedMinor: 'bigint',
    clawedBack: 'bigint',
    lines: 'json',
    returnedLines: 'json',
  },
  primaryKey: ['sourceReference'],
  constant: ['programId', 'memberId', 'transactionId', 'amountMinor', 'currency', 'points', 'lines'],
  checks: {
    orders_amounts_check: (row) => row.amountMinor >= 0 && row.points >= 0,
    orders_returned_check: (row) => row.returnedMinor >= 0 && row.returnedMinor <= row.amountMinor,
    orders_clawed_back_check: (row) => row.clawedBack >= 0 && row.clawedBack <= row.points,
  },
  references: [
    { to: 'transactions', constraint: 'orders_transaction_fkey', properties: { id: 'transactionId' } },
  ],
  lookUps: [
    { name: 'load_orders', keyProperties: { order: ['sourceReference'] } },
    {
      // A claim on a lot of a referral has no order of its own: its transaction has the order's reference, but another
      // id.
      name: 'load_claiming_orders',
      keyProperties: { claim: ['transactionId'] },
      text: (select) => `select ${select('o')}
      from unnest($2::uuid[]) as wanted(transaction_id)
      cross join lateral (
        select id, source_reference from transactions
        where environment_id = $1::uuid and id = wanted.transaction_id
        limit 1
      ) t
      cross join lateral (
        select * from orders
        where environment_id = $1::uuid and source_reference = t.source_reference and transaction_id = t.id
        limit 1
      ) o`,
      values: (keys: readonly ClaimNeed[]) => [arrayLiteral(keys.map(({ transactionId }) => transactionId))],
      find: (stored, { transactionId }: ClaimNeed): OrderRecord[] =>
        stored(orders).by(ofTransaction, transactionId),
    },
  ],
});
