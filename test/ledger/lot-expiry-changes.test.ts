import { expect, test } from '@jest/globals';
import type { LotRecord } from '../../src/ledger/records.ts';
import { WorkingSet } from '../../src/ledger/working-set.ts';

const at = (day: number): Date => new Date(Date.UTC(2026, 2, day));
const lot: LotRecord = {
  id: 'lot-1',
  memberId: 'ann-id',
  programId: 'coffee-club',
  transactionId: 'transaction-1',
  granted: 10,
  pending: 0,
  available: 10,
  reserved: 0,
  activatesAt: null,
  expiresAt: at(5),
  inactivityDays: null,
  claimed: 0,
  createdAt: at(1),
};
const nothing = { receipt: {}, audits: [], webhookEvents: [] };

function workingSet(held: LotRecord): WorkingSet {
  const working = new WorkingSet(
    { id: 'env', kind: 'sandbox', locked: false, revision: 1 },
    new Map(),
    () => 'id',
  );
  working.lots.load(held);
  return working;
}

test.each<[string, Partial<LotRecord>, Partial<LotRecord>, object[]]>([
  ['other amounts', {}, { available: 3, reserved: 7 }, []],
  ['the same date', {}, { expiresAt: at(5) }, []],
  ['a date where there was none', { expiresAt: null }, { expiresAt: at(9) }, []],
  ['a later date', {}, { expiresAt: at(9) }, [{ lotId: 'lot-1', changedAt: at(6), expiresAt: at(5) }]],
])('of a lot with %s', (_name, before, after, changes) => {
  const held = { ...lot, ...before };
  const working = workingSet(held);
  working.apply({ ...nothing, inserts: {}, updates: { lots: [{ ...held, ...after }] } }, at(6));
  expect(working.lotExpiryChanges).toMatchObject(changes);
  expect(working.lotExpiryChanges).toHaveLength(changes.length);
});

test('each move in a batch says what held before it', () => {
  const working = workingSet(lot);
  for (const day of [9, 12]) {
    working.apply(
      { ...nothing, inserts: {}, updates: { lots: [{ ...lot, expiresAt: at(day) }] } },
      at(day - 3),
    );
  }
  expect(working.lotExpiryChanges.map(({ expiresAt }) => expiresAt)).toEqual([at(5), at(9)]);
});
