import { OF_MEMBERS } from './handling.ts';
import type { TransactionNeed } from './needs.ts';
import { AppendedRows } from './record-set.ts';
import { insertedTable } from './table.ts';

export type Account =
  | 'member.available'
  | 'member.pending'
  | 'member.reserved'
  | 'program.issuance'
  | 'program.redemption'
  | 'program.expiry'
  | 'program.adjustment'
  | 'program.clearing'
  | 'program.transfer';

export interface PostingRecord {
  transactionId: string;
  /** 1 for the first posting of the transaction. */
  line: number;
  programId: string;
  memberId: string;
  debitAccount: Account;
  creditAccount: Account;
  amount: number;
  lotId: string | null;
  createdAt: Date;
}

/** The postings of a batch by transaction: the loaded ones, and those that decisions insert. */
export class PostingRows extends AppendedRows<PostingRecord> {
  readonly #ofTransaction = new Map<string, PostingRecord[]>();

  /** The postings of a transaction in the order of their lines; null where they were not loaded. */
  of(transactionId: string): readonly PostingRecord[] | null {
    return this.#ofTransaction.get(transactionId) ?? null;
  }

  /** Loads the postings of transactions. @param postings all of them, in the order of their lines */
  loadAll(transactionIds: readonly string[], postings: readonly PostingRecord[]): void {
    for (const id of transactionIds) this.#ofTransaction.set(id, []);
    for (const posting of postings) this.#ofTransaction.get(posting.transactionId)?.push(posting);
  }

  override insert(posting: PostingRecord): void {
    super.insert(posting);
    const existing = this.#ofTransaction.get(posting.transactionId);
    if (existing) existing.push(posting);
    else this.#ofTransaction.set(posting.transactionId, [posting]);
  }
}

export const postings = insertedTable<PostingRecord, TransactionNeed, PostingRows>({
  name: 'postings',
  handling: {
    owner: { through: 'transactions', on: 'postings.transaction_id = transactions.id' },
    exported: {
      ids: { transaction_id: 'txn', member_id: 'mem', lot_id: 'lot' },
      order: ['transactions.created_at', 'transactions.id', 'line'],
    },
    erasure: 'nothing',
    ...OF_MEMBERS,
  },
  columns: {
    transactionId: 'uuid',
    line: 'integer',
    programId: 'text',
    memberId: 'uuid',
    debitAccount: 'text',
    creditAccount: 'text',
    amount: 'bigint',
    lotId: 'uuid',
    createdAt: 'timestamptz',
  },
  primaryKey: ['transactionId', 'line'],
  checks: {
    postings_amount_check: (row) => row.amount > 0 && row.line >= 1,
    postings_accounts_check: (row) => row.debitAccount !== row.creditAccount,
  },
  references: [
    { to: 'transactions', constraint: 'postings_transaction_fkey', properties: { id: 'transactionId' } },
    {
      to: 'lots',
      constraint: 'postings_lot_fkey',
      properties: { id: 'lotId', memberId: 'memberId', programId: 'programId' },
    },
  ],
  lookUps: [
    {
      name: 'load_postings',
      keyProperties: { transaction: ['transactionId'] },
      many: true,
      orderBy: 'r.transaction_id, r.line',
      fill: (rows, records, keys) =>
        rows.loadAll(
          keys.map(({ transactionId }) => transactionId),
          records,
        ),
    },
  ],
  newRows: () => new PostingRows(),
});
