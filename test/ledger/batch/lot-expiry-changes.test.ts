import { expect, test } from '@jest/globals';
import { WorkingSet } from '../../../src/ledger/batch/working-set.ts';
import type { LotRecord } from '../../../src/ledger/tables/lot-rows.ts';

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
  lent: 0,
  originLotId: null,
  createdAt: at(1),
};
const nothing = { receipt: {}, audits: [], webhookEvents: [] };

function workingSet(held: LotRecord): WorkingSet {
  const working = new WorkingSet(
    { id: 'env', kind: 'sandbox', locked: false, revision: 1 },
    new Map(),
    () => 'id',
  );
  working.rows.lots.load(held);
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
  const kept = [...working.rows.lotExpiryChanges.inserted.values()];
  expect(kept).toMatchObject(changes);
  expect(kept).toHaveLength(changes.length);
});

test('each move in a batch says what held before it', () => {
  const working = workingSet(lot);
  for (const day of [9, 12]) {
    working.apply(
      { ...nothing, inserts: {}, updates: { lots: [{ ...lot, expiresAt: at(day) }] } },
      at(day - 3),
    );
  }
  const kept = [...working.rows.lotExpiryChanges.inserted.values()];
  expect(kept.map(({ expiresAt }) => expiresAt)).toEqual([at(5), at(9)]);
});

test('of two moves at one instant the first one is kept: it says what held before both', () => {
  const working = workingSet(lot);
  for (const day of [9, 12]) {
    working.apply({ ...nothing, inserts: {}, updates: { lots: [{ ...lot, expiresAt: at(day) }] } }, at(6));
  }
  const kept = [...working.rows.lotExpiryChanges.inserted.values()];
  expect(kept.map(({ expiresAt }) => expiresAt)).toEqual([at(5)]);
});
