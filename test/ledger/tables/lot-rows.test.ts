import { expect, jest, test } from '@jest/globals';
import { newUuid } from '../../../src/ids.ts';
import { type LotRecord, LotRows } from '../../../src/ledger/tables/lot-rows.ts';
import { RecordSet } from '../../../src/ledger/tables/record-set.ts';

const LOTS = 500;

function lot(originLotId: string | null = null): LotRecord {
  return {
    ...{ id: newUuid(), memberId: newUuid(), programId: 'club', transactionId: newUuid() },
    ...{ granted: 10, pending: 0, available: 10, reserved: 0, claimed: 0, lent: 0, inactivityDays: null },
    ...{ activatesAt: null, expiresAt: null, originLotId, createdAt: new Date(0) },
  };
}

test('the lots that were one to begin with are found, whenever they were loaded, inserted or updated', () => {
  const rows = new LotRows();
  const [first, other] = [lot(), lot()];
  const moved = lot(first.id);
  for (const row of [first, other, moved]) rows.load(row);
  expect(rows.ofOrigin(moved)).toEqual([first, moved]);
  expect(rows.ofOrigin(other)).toEqual([other]);
  const [again, later] = [lot(first.id), lot(first.id)];
  rows.load(again);
  rows.insert(later);
  const spent = { ...moved, available: 0 };
  rows.update(spent);
  expect(rows.ofOrigin(first)).toEqual([first, spent, again, later]);
  expect(rows.ofOrigin(lot(newUuid()))).toEqual([]);
});

test('all rows are gone through once for all lots of a merge, and not once for each', () => {
  const rows = new LotRows();
  const all = Array.from({ length: LOTS }, () => lot());
  for (const row of all) rows.load(row);
  const filter = jest.spyOn(RecordSet.prototype, 'filter');
  for (const row of all) {
    rows.ofOrigin(row);
    rows.insert(lot(row.id));
  }
  expect(filter).toHaveBeenCalledTimes(1);
  filter.mockRestore();
});
