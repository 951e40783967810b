import { describe, expect, test } from '@jest/globals';
import { purchaseEarn } from '../../../src/commands/earning/purchase-earn.ts';
import { requalifyProfile } from '../../../src/commands/members/requalify-profile.ts';
import { settleProfile } from '../../../src/commands/members/settle-profile.ts';
import { toTypeId } from '../../../src/ids.ts';
import type { EventData } from '../../../src/ledger/command.ts';
import { counter, type Desk, daysFrom, receiptOf, rows } from '../../support/commands/desk.ts';
import { holdPoints, spendPoints } from '../../support/commands/direct-redemption.ts';
import { perks } from '../../support/commands/engagement.ts';
import { rewardCounter } from '../../support/commands/reward-counter.ts';
import { noon } from '../../support/rules/fixtures.ts';

const yearly = { qualification: { window: 'calendar_year', downgrade: 'to_reached' } } as const;

/** The data of the events of a type that were sent, oldest first. */
function sent(desk: Desk, type: string): EventData[] {
  return desk.store.webhookEvents.filter((event) => event.type === type).map(({ data }) => data);
}

/** What a mirror reads of events about a profile. */
interface Told {
  balances: { available: number; pending: number };
  profileVersion: number;
  /** Of an award. */
  points: number;
  activatesAt?: string | null;
}

function settle(desk: Desk): void {
  const { environmentId } = desk.caller;
  const input = { environmentId, programId: 'coffee-club', externalCustomerId: 'ann', requestId: 'op_run' };
  receiptOf(desk.run(settleProfile(input)));
}

function requalify(desk: Desk): void {
  const { environmentId } = desk.caller;
  const input = { environmentId, programId: 'coffee-club', externalCustomerId: 'ann', requestId: 'op_run' };
  receiptOf(desk.run(requalifyProfile(input)));
}

describe('balances and version', () => {
  test('are those after the command, also of a command that moves no points', () => {
    const desk = rewardCounter();
    desk.redeem();
    const committed = sent(desk, 'redemption.committed').at(-1);
    const { available, pending, reserved, version } = desk.profile();
    expect(committed).toMatchObject({
      balances: { available, pending, reserved },
      profileVersion: version,
    });
    desk.fulfil();
    expect(sent(desk, 'redemption.fulfillment_updated').at(-1)).toMatchObject({
      balances: { available, pending, reserved },
      profileVersion: version,
    });
  });

  test('the version counts the writes of the profile from 1, each command of a batch by itself', () => {
    const desk = counter();
    expect(desk.profile().version).toBe(1);
    const purchases = ['a', 'b', 'c'].map((sourceReference) =>
      purchaseEarn(desk.purchaseInput({ sourceReference }), desk.caller),
    );
    desk.store.runBatch(purchases, desk.now);
    expect(
      sent(desk, 'points.earned').map(({ balances, profileVersion }) => [balances, profileVersion]),
    ).toEqual([
      [{ available: 100, pending: 0, reserved: 0 }, 2],
      [{ available: 200, pending: 0, reserved: 0 }, 3],
      [{ available: 300, pending: 0, reserved: 0 }, 4],
    ]);
    expect(desk.profile().version).toBe(4);
    desk.earn({ idempotencyKey: 'again', sourceReference: 'a' });
    expect(desk.profile().version).toBe(4);
  });

  test('with them a mirror knows what is pending, though activations have no event', () => {
    const desk = rewardCounter({ pending: { days: 7 } });
    const start = desk.now;
    /** What the mirror of docs/guide/webhooks.md shows now. */
    const mirror = () => {
      const told = desk.store.webhookEvents
        .filter(({ data }) => data.balances !== undefined)
        .map(({ data }) => data as unknown as Told);
      const newest = told.reduce((one, other) => (other.profileVersion > one.profileVersion ? other : one));
      const later = told.filter(({ activatesAt }) => activatesAt && new Date(activatesAt) > desk.now);
      const { available, pending } = newest.balances;
      const due = Math.max(0, pending - later.reduce((sum, { points }) => sum + points, 0));
      return { available: available + due, pending: pending - due };
    };
    const settled = () => {
      settle(desk);
      const { available, pending } = desk.profile();
      return { available, pending };
    };
    const onDay = (day: number, act: () => unknown): unknown[] => {
      desk.now = daysFrom(start, day);
      const before = mirror();
      act();
      const after = mirror();
      expect(settled()).toEqual(after);
      expect(mirror()).toEqual(after);
      return [before, after];
    };
    const earn = (sourceReference: string) => () => receiptOf(desk.earn({ sourceReference }));
    expect(onDay(3, earn('third'))[1]).toEqual({ available: 0, pending: 350 });
    expect(onDay(7, () => receiptOf(desk.redeem()))).toEqual([
      { available: 250, pending: 100 },
      { available: 150, pending: 100 },
    ]);
    expect(onDay(8, earn('eighth'))[1]).toEqual({ available: 150, pending: 200 });
    // Its event has the balances as they are stored, without the activation that is due.
    const told = onDay(10, () => receiptOf(desk.fulfil()));
    expect(told).toEqual(Array(2).fill({ available: 250, pending: 100 }));
    expect(sent(desk, 'redemption.fulfillment_updated')[0]?.balances).toMatchObject({ pending: 200 });
    expect(onDay(15, () => {})).toEqual(Array(2).fill({ available: 350, pending: 0 }));
  });

  test('are not part of an event about an identity', () => {
    const desk = counter();
    desk.update({ displayName: 'Ann' });
    for (const { data } of desk.store.tables.events.values()) {
      if (!('programId' in data)) expect(data).not.toHaveProperty('balances');
    }
  });
});

test('a purchase that earns nothing sends no points.earned', () => {
  const desk = counter();
  receiptOf(desk.earn({ amountMinor: 1 }));
  expect(sent(desk, 'points.earned')).toEqual([]);
});

describe('points.expired', () => {
  test('once per transaction, whatever finds that they have expired', () => {
    const desk = counter({ expiration: { policy: 'rolling_days', days: 10 } });
    desk.earn({ sourceReference: 'o1' });
    desk.earn({ sourceReference: 'o2', amountMinor: 5_000 });
    desk.now = daysFrom(noon, 10);
    settle(desk);
    settle(desk);
    const transaction = rows(desk.store.tables.transactions).at(-1);
    expect(sent(desk, 'points.expired')).toEqual([
      {
        transactionId: toTypeId('txn', transaction?.id ?? ''),
        programId: 'coffee-club',
        memberId: toTypeId('mem', desk.member().id),
        externalCustomerId: 'ann',
        points: 150,
        occurredAt: desk.now.toISOString(),
        balances: { available: 0, pending: 0, reserved: 0 },
        profileVersion: desk.profile().version,
      },
    ]);
  });
});

describe('points.clawed_back', () => {
  test('says what was taken, and what was missing', () => {
    const desk = counter();
    desk.earn({ sourceReference: 'o1', amountMinor: 10_000 });
    spendPoints(desk, 70);
    const receipt = receiptOf(
      desk.return({ sourceReference: 'o1', returnReference: 'r1', returnAmountMinor: 5_000 }),
    );
    const common = {
      programId: 'coffee-club',
      memberId: toTypeId('mem', desk.member().id),
      externalCustomerId: 'ann',
      orderReference: 'o1',
    };
    expect(sent(desk, 'points.clawed_back')).toMatchObject([
      {
        ...common,
        transactionId: receipt.id,
        returnId: receipt.id,
        returnReference: 'r1',
        points: 30,
        shortfall: 20,
        balances: { available: 0, pending: 0, reserved: 0 },
      },
    ]);
    const second = receiptOf(
      desk.return({ sourceReference: 'o1', returnReference: 'r2', returnAmountMinor: 1_000 }),
    );
    expect(sent(desk, 'points.clawed_back').at(-1)).toMatchObject({
      ...common,
      transactionId: null,
      returnId: second.id,
      returnReference: 'r2',
      points: 0,
      shortfall: 10,
    });
  });

  test('nothing where the order had earned nothing', () => {
    const desk = counter();
    desk.earn({ sourceReference: 'o1', amountMinor: 99 });
    receiptOf(desk.return({ sourceReference: 'o1', returnReference: 'r1', returnAmountMinor: 99 }));
    expect(sent(desk, 'points.clawed_back')).toEqual([]);
  });
});

describe('tier.changed', () => {
  test('when a purchase raises it and when a re-qualification lowers it; an enrollment says its tier itself', () => {
    const desk = counter(yearly);
    desk.earn({ amountMinor: 600_000 });
    const memberId = toTypeId('mem', desk.member().id);
    const common = { programId: 'coffee-club', memberId, externalCustomerId: 'ann' };
    expect(sent(desk, 'tier.changed')).toMatchObject([
      { ...common, previousTier: 'bronze', tier: 'gold', qualificationPoints: 6_000 },
    ]);
    desk.earn();
    expect(sent(desk, 'tier.changed')).toHaveLength(1);
    // The year that counted is the one before.
    desk.now = new Date('2028-01-01T00:00:00Z');
    requalify(desk);
    expect(sent(desk, 'tier.changed').at(-1)).toMatchObject({
      ...common,
      previousTier: 'gold',
      tier: 'bronze',
      qualificationPoints: 0,
    });
    requalify(desk);
    expect(sent(desk, 'tier.changed')).toHaveLength(2);
  });
});

describe('choice.granted', () => {
  test('for each set of each tier on the way, once, however often the member rises', () => {
    const desk = counter({ ...yearly, choiceSets: [{ ...perks, grantedByTiers: ['silver', 'gold'] }] });
    desk.earn({ amountMinor: 600_000 });
    const grants = rows(desk.store.tables.choiceGrants);
    expect(grants).toHaveLength(2);
    expect(sent(desk, 'choice.granted')).toEqual(
      grants.map(({ id, grantedBy, choices, expiresAt }) => ({
        choiceGrantId: toTypeId('cgr', id),
        programId: 'coffee-club',
        memberId: toTypeId('mem', desk.member().id),
        externalCustomerId: 'ann',
        choiceSetId: perks.id,
        choices,
        grantedBy,
        expiresAt: expiresAt?.toISOString() ?? null,
        balances: { available: 6_000, pending: 0, reserved: 0 },
        profileVersion: 2,
      })),
    );
    desk.now = new Date('2028-01-01T00:00:00Z');
    requalify(desk);
    desk.earn({ sourceReference: 'o2', amountMinor: 600_000 });
    expect(desk.profile().tier).toBe('gold');
    expect(sent(desk, 'tier.changed')).toHaveLength(3);
    expect(sent(desk, 'choice.granted')).toHaveLength(2);
  });
});

test('what time has done is told of before what the command does, with the same balances', () => {
  const desk = counter({ expiration: { policy: 'rolling_days', days: 10 } });
  desk.earn({ sourceReference: 'o1' });
  holdPoints(desk, 40);
  desk.now = daysFrom(noon, 20);
  desk.earn({ sourceReference: 'o2', amountMinor: 5_000 });
  const latest = desk.store.webhookEvents.slice(-3);
  expect(latest.map(({ type }) => type)).toEqual(['redemption.expired', 'points.expired', 'points.earned']);
  for (const { data } of latest) expect(data.balances).toEqual({ available: 50, pending: 0, reserved: 0 });
});
