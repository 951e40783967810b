import type { Subject } from '../command.ts';
import { type AnyLookUpKey, fieldsOf } from '../tables/all-tables.ts';
import { keyOf } from '../tables/key-of.ts';

/** The identity of a subject inside a batch. */
export function subjectKey(subject: Subject | AnyLookUpKey): string {
  switch (subject.kind) {
    case 'due':
    case 'pendingLots':
    case 'owingLots':
      return keyOf(subject.kind, subject.programId, subject.externalCustomerId);
    case 'orderLots':
      return keyOf('orderLots', subject.sourceReference);
    case 'transactionLots':
      return keyOf('transactionLots', subject.transactionId);
    case 'stock':
      return keyOf('stock', subject.programId, subject.rewardId);
    case 'couponCode':
      return keyOf('couponCode', subject.programId, subject.code);
    case 'sharedCounters':
      return keyOf('sharedCounters', subject.programId ?? '');
    default: {
      const values: Readonly<Record<string, unknown>> = { ...subject };
      return keyOf(subject.kind, ...(fieldsOf(subject) ?? []).map((field) => String(values[field])));
    }
  }
}
