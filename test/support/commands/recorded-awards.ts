import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import type { PurchaseReceipt, RecordedAward } from '../../../src/queries/transactions/recorded-award.ts';
import { type Desk, rows } from './desk.ts';

/** What `readRecordedAward` would read, from the tables of a desk with one version of the program. */
export function recordedAwards({ store }: Desk, document: ProgramDocument): RecordedAward[] {
  const { tables } = store;
  return rows(tables.transactions)
    .filter(({ eventType }) => eventType === 'purchase.completed')
    .map((transaction) => {
      const order = rows(tables.orders).find(({ transactionId }) => transactionId === transaction.id);
      const lots = rows(tables.lots).filter(({ transactionId }) => transactionId === transaction.id);
      const postings = rows(tables.postings).filter(
        ({ transactionId, debitAccount }) =>
          transactionId === transaction.id && debitAccount === 'program.issuance',
      );
      return {
        transactionId: transaction.id,
        environmentId: store.environment.id,
        programId: transaction.programId,
        externalCustomerId: '',
        sourceReference: transaction.sourceReference ?? '',
        posted: {
          transaction: transaction.points,
          postings: postings.reduce((sum, { amount }) => sum + amount, 0),
          lots: lots.reduce((sum, { granted }) => sum + granted, 0),
          order: order?.points ?? 0,
        },
        amountMinor: order?.amountMinor ?? null,
        currency: order?.currency ?? '',
        lines: order?.lines as RecordedAward['lines'],
        // As a JSON column returns it.
        receipt: JSON.parse(JSON.stringify(transaction.receipt)) as PurchaseReceipt,
        document,
      };
    });
}
