import { expect, test } from '@jest/globals';
import { newUuid } from '../../../src/ids.ts';
import { LONGEST_TEMPLATE, packReceipts } from '../../../src/ledger/receipts/pack-receipts.ts';

const environmentId = newUuid();
const at = new Date();

/** A purchase whose receipt has a template of its own, which `reason` makes. */
function purchase(reason: string, changes: object = {}) {
  const ruleDecisions = [{ kind: 'earn_rule', id: 'base', matched: false, reason, points: 0 }];
  return {
    ...{ id: newUuid(), memberId: newUuid(), points: 7, createdAt: at, occurredAt: at },
    eventType: 'purchase.completed',
    receipt: { award: { points: 7 }, ruleDecisions },
    ...changes,
  };
}

function pack(...rows: ReturnType<typeof purchase>[]) {
  const { before, rows: packed } = packReceipts(environmentId, rows);
  return { before, receipts: packed.map(({ receipt }) => receipt) };
}

test('the first receipt of its kind is stored whole, and those after it with a template, which is sent every time', () => {
  const rows = [purchase('again'), purchase('again'), purchase('again')];
  const { before, receipts } = pack(...rows);
  expect(receipts[0]).toBe(rows[0]?.receipt);
  expect(receipts.slice(1)).toEqual([
    { template: expect.any(String), values: [] },
    { template: expect.any(String), values: [] },
  ]);
  const [, ids] = before?.values ?? [];
  expect(ids).toBe(`{"${(receipts[1] as unknown as { template: string }).template}"}`);
  const later = pack(purchase('again'));
  expect(later.receipts[0]).toEqual(receipts[1]);
  expect(later.before).toEqual(before);
});

test('receipts that are decided differently every time stay whole, and nothing is sent for them', () => {
  const rows = Array.from({ length: 20 }, (_, index) => purchase(`another ${index}`));
  expect(pack(...rows)).toEqual({ before: null, receipts: rows.map(({ receipt }) => receipt) });
});

test.each([
  ['of another event', purchase('of another event', { eventType: 'order.returned' })],
  ['that says other points than were posted', purchase('other points', { points: 8 })],
  ['with very long decisions', purchase('x'.repeat(LONGEST_TEMPLATE))],
])('a receipt %s stays whole', (_what, row) => {
  expect(pack(row, row, row)).toEqual({ before: null, receipts: [row.receipt, row.receipt, row.receipt] });
});

test('templates are sent in the order of their ids', () => {
  const rows = ['one', 'two', 'three', 'four', 'five'].map((reason) => purchase(reason));
  pack(...rows);
  const [, ids] = pack(...rows).before?.values ?? [];
  const sent = String(ids).slice(1, -1).split(',');
  expect(sent).toHaveLength(rows.length);
  expect(sent).toEqual(sent.toSorted());
});

test('a process remembers a limited number of kinds, and begins anew with those that it has forgotten', () => {
  const forgotten = purchase('forgotten');
  pack(forgotten);
  for (let number = 0; number < 1_000; number++) pack(purchase(`number ${number}`));
  expect(pack(forgotten).receipts).toEqual([forgotten.receipt]);
  expect(pack(forgotten).receipts).toEqual([{ template: expect.any(String), values: [] }]);
});
