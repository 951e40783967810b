import { beforeEach, describe, expect, test } from '@jest/globals';
import { CounterAuditor } from '../../../simulator/auditor/counters.ts';
import { Model } from '../../../simulator/model/model.ts';
import type { PlainCampaign, PlainCoupon } from '../../../simulator/programs/campaigns.ts';
import { inventProgram } from '../../../simulator/programs/program.ts';
import { Random } from '../../../simulator/random.ts';
import { createMemoryTables, type MemoryTables } from '../../../src/ledger/memory/memory-tables.ts';
import type { TransactionRecord } from '../../../src/ledger/tables/transactions.ts';

const PROGRAM = 'coffee';
const now = new Date('2027-03-10T12:00:00Z');

let tables: MemoryTables;
let auditor: CounterAuditor;

beforeEach(() => {
  const invented = inventProgram(new Random(1), { id: PROGRAM, precision: 0, now, leastLimit: 0 });
  const anyone = { schedule: null, audiences: [] };
  const campaign: PlainCampaign = {
    ...{ id: 'spring', ...anyone, priority: 0, stacking: 'stack', channel: null, minAmountMinor: null },
    lines: null,
    bonus: { points: 5 },
    holdout: null,
    ...{ capTotal: 100, capMember: 20, capPeriod: { points: 10, period: 'month' } },
  };
  const coupon: PlainCoupon = {
    code: 'TINS',
    ...anyone,
    bonus: null,
    limitTotal: 2,
    pool: null,
    limitMember: 1,
  };
  const program = { ...invented, campaigns: [campaign], coupons: [coupon], limit: null };
  const model = new Model();
  model.programs.set(PROGRAM, [{ version: 1, effectiveFrom: now, publishedAt: now, program }]);
  tables = createMemoryTables();
  auditor = new CounterAuditor(tables, model);
});

/** Stores a purchase with so many points from the campaign, and with the coupon redeemed. */
function purchase(id: string, points: number): Set<string> {
  const receipt = {
    award: { points },
    campaigns: [{ campaignId: 'spring', points }],
    coupon: { code: 'TINS', redeemed: true },
    configurationVersion: 1,
    evaluationAt: now.toISOString(),
  };
  const row = { id, programId: PROGRAM, memberId: 'm', eventType: 'purchase.completed', receipt };
  tables.transactions.set(id, row as unknown as TransactionRecord);
  return new Set([id]);
}

/** The counters after so many points from the campaign and so many uses of the coupon. */
function counters(points: number, uses: number) {
  const ofMember = { programId: PROGRAM, memberId: 'm' };
  return {
    limits: [
      { ...ofMember, limitId: 'campaign:spring', periodStart: new Date(0), points },
      { ...ofMember, limitId: 'campaign:spring.month', periodStart: new Date('2027-03-01'), points },
      { ...ofMember, limitId: 'coupon:TINS', periodStart: new Date(0), points: uses },
    ],
    shared: [
      { programId: PROGRAM, counterId: 'campaign:spring', taken: points },
      { programId: PROGRAM, counterId: 'coupon:TINS', taken: uses },
    ],
  };
}

test('the auditor of counters accepts counters that match the receipts', () => {
  expect(() => auditor.audit(purchase('1', 5), counters(5, 1))).not.toThrow();
});

describe('the auditor of counters finds', () => {
  test('a purchase that was not counted', () => {
    expect(() => auditor.audit(purchase('1', 5), { limits: [], shared: [] })).toThrow(
      'what purchases were told',
    );
  });

  test.each([0, 1, 2])('a counter of a member that is one too high (%d)', (index) => {
    const { limits, shared } = counters(5, 0);
    const wrong = limits.map((row, at) => (at === index ? { ...row, points: row.points + 1 } : row));
    expect(() => auditor.audit(purchase('1', 5), { limits: wrong, shared })).toThrow('a counter has counted');
  });

  test.each([0, 1])('a counter of all that is one too low (%d)', (index) => {
    const { limits, shared } = counters(5, 1);
    const wrong = shared.map((row, at) => (at === index ? { ...row, taken: row.taken - 1 } : row));
    expect(() => auditor.audit(purchase('1', 5), { limits, shared: wrong })).toThrow('a counter has counted');
  });

  test('a cap that is exceeded, whatever receipts say', () => {
    expect(() => auditor.audit(purchase('1', 11), counters(11, 1))).toThrow('no cap is ever exceeded');
  });

  test('a coupon that a member used twice', () => {
    expect(() => auditor.audit(purchase('1', 5), counters(5, 2))).toThrow('no cap is ever exceeded');
  });

  test('a counter that gives something back', () => {
    auditor.audit(purchase('1', 5), counters(5, 1));
    expect(() => auditor.audit(new Set(), counters(4, 1))).toThrow('a counter only grows');
  });
});
