import { expect, test } from '@jest/globals';
import { UNPREPARED } from '../../../src/db/statement.ts';
import { listTransactions } from '../../../src/queries/transactions/transaction-statements.ts';

const E = '00000000-0000-7000-8000-000000000001';
const or = <V>(...values: V[]): (V | null)[] => [null, ...values];

test('of all combinations of criteria, few are prepared: a session keeps each with its plan', () => {
  const names = new Set<string>();
  const texts = new Set<string>();
  for (const sourceReference of or('order-1'))
    for (const externalCustomerId of or('ada'))
      for (const programId of or('coffee-club'))
        for (const eventType of or('purchase.completed', 'points.expired'))
          for (const state of or<'committed' | 'reversed'>('committed', 'reversed'))
            for (const from of or(new Date(0)))
              for (const to of or(new Date(1)))
                for (const after of or({ at: '2026-01-01', id: E }))
                  for (const receipts of [true, false]) {
                    const window = { eventType, state, from, to };
                    const criteria = { sourceReference, externalCustomerId, programId, ...window };
                    const { name, text } = listTransactions(E, criteria, after, 50, receipts);
                    texts.add(text);
                    if (name !== UNPREPARED) names.add(name);
                  }
  expect(texts.size).toBeGreaterThan(600);
  expect(names.size).toBeLessThan(120);
  // The lists that clients read most: everything, of a member, and their next pages.
  for (const shape of ['', 'a', 'm', 'ma', 'p', 'pa', 'r'])
    expect(names).toContain(`list_transactions_${shape}`);
});
