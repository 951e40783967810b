import { describe, expect, test } from '@jest/globals';
import type { LotRecord } from '../../src/ledger/tables/lot-rows.ts';
import { SimulatedLots } from '../../src/what-if/open-points.ts';
import { daysFrom } from '../support/commands/desk.ts';
import { noon } from '../support/rules/fixtures.ts';

const end = daysFrom(noon, 100);
const before = new Date(end.getTime() - 1);
const after = new Date(end.getTime() + 1);

/** A lot of ann with 100 available points that never expire. */
function lot(change: Partial<LotRecord> = {}): LotRecord {
  return {
    memberId: 'ann',
    granted: 100,
    pending: 0,
    available: 100,
    activatesAt: null,
    expiresAt: null,
    inactivityDays: null,
    ...change,
  } as LotRecord;
}

function remaining(...lots: LotRecord[]) {
  const simulated = new SimulatedLots(end);
  for (const each of lots) simulated.add(each);
  return simulated.remaining();
}

describe('what is left of lots at an instant', () => {
  test.each<[string, Partial<LotRecord>, [unexpired: bigint, pending: bigint, expired: bigint]]>([
    ['a lot without an end', {}, [100n, 0n, 0n]],
    ['a lot that ends then', { expiresAt: end }, [0n, 0n, 100n]],
    ['a lot that ends just after', { expiresAt: after }, [100n, 0n, 0n]],
    ['a lot that ended just before', { expiresAt: before }, [0n, 0n, 100n]],
    ['a lot that becomes available then', { activatesAt: end }, [100n, 0n, 0n]],
    ['a lot that becomes available just after', { activatesAt: after }, [100n, 100n, 0n]],
    ['a lot of which some had lapsed when it came', { available: 30 }, [30n, 0n, 70n]],
    ['a lot without activity until then', { expiresAt: end, inactivityDays: 9 }, [0n, 0n, 100n]],
    ['a lot without activity, for longer', { expiresAt: after, inactivityDays: 9 }, [100n, 0n, 0n]],
  ])('%s', (_what, change, [unexpired, pending, expired]) => {
    expect(remaining(lot(change))).toEqual({ unexpired, pending, expired });
  });
});

describe('points that expire by inactivity', () => {
  const days = 30;
  const idle = (at: Date, change: Partial<LotRecord> = {}) =>
    lot({ expiresAt: daysFrom(at, days), inactivityDays: days, ...change });

  test('are extended by an activity without points, for that member only', () => {
    const lots = new SimulatedLots(daysFrom(noon, 45));
    lots.add(idle(noon));
    lots.add(idle(noon, { memberId: 'bob' }));
    lots.activity('ann', daysFrom(noon, 20), days);
    lots.activity('cat', daysFrom(noon, 20), days);
    expect(lots.remaining()).toEqual({ unexpired: 100n, pending: 0n, expired: 100n });
  });

  test.each([
    [29, 200n, 0n],
    [30, 100n, 100n],
  ])('are not restored once they have expired: activity after %d days', (at, unexpired, expired) => {
    const lots = new SimulatedLots(daysFrom(noon, at + 1));
    lots.add(idle(noon));
    lots.activity('ann', daysFrom(noon, at), days);
    lots.add(idle(daysFrom(noon, at)));
    expect(lots.remaining()).toEqual({ unexpired, pending: 0n, expired });
  });
});
