import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { TYPE_OF } from '../../../src/queries/transactions/transaction-view.ts';

test('transactions can be asked for by every event type that one can have', () => {
  const schemas = JSON.parse(
    readFileSync(new URL('../../../src/graphql/generated/input-schemas.json', import.meta.url), 'utf8'),
  ) as { TransactionFilter: { properties: { eventType: { enum: (string | null)[] } } } };
  const taken = schemas.TransactionFilter.properties.eventType.enum.filter((type) => type !== null);
  expect(taken.toSorted()).toEqual(Object.keys(TYPE_OF).toSorted());
});
