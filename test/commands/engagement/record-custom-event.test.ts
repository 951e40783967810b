import { describe, expect, test } from '@jest/globals';
import { recordCustomEvent } from '../../../src/commands/engagement/record-custom-event.ts';
import { toTypeId } from '../../../src/ids.ts';
import { codeOf, Desk, daysFrom, receiptOf, rows } from '../../support/commands/desk.ts';
import {
  awardsOf,
  club,
  distance,
  engagement,
  happen,
  reviews,
  runKm,
} from '../../support/commands/engagement.ts';
import { reward, rewardCounter } from '../../support/commands/reward-counter.ts';
import { noon, program, tier } from '../../support/rules/fixtures.ts';

describe('an event', () => {
  test('is kept with its receipt, and awards nothing where no challenge is completed', () => {
    const desk = club();
    const outcome = happen(desk, { sourceReference: 'review-1', attributes: { stars: 5 } });
    expect(receiptOf(outcome)).toEqual({
      id: expect.stringMatching(/^evt_[0-7][0-9a-z]{25}$/),
      status: 'accepted',
      awards: [],
    });
    expect(rows(desk.store.tables.customEvents)).toEqual([
      {
        id: expect.any(String),
        sourceReference: 'review-1',
        type: 'review',
        memberId: desk.member().id,
        attributes: { stars: 5 },
        occurredAt: noon,
        receivedAt: noon,
        receipt: receiptOf(outcome),
      },
    ]);
    expect(rows(desk.store.tables.challengeProgress)).toMatchObject([{ reached: 1, completions: 0 }]);
    expect(rows(desk.store.tables.audits).at(-1)).toMatchObject({
      action: 'custom_event.accepted',
      targetId: receiptOf(outcome).id,
      changes: { type: 'review', awards: 0 },
    });
  });

  test('that completes a challenge awards its points in a transaction and a lot of their own', () => {
    const desk = club({ expiration: { policy: 'rolling_days', days: 10 } });
    happen(desk);
    happen(desk);
    const [award] = awardsOf(
      happen(desk, { sourceReference: 'third', occurredAt: daysFrom(noon, -1).toISOString() }),
    );
    const [transaction] = rows(desk.store.tables.transactions);
    expect(award).toEqual({
      programId: 'coffee-club',
      challengeId: 'three-reviews',
      transactionId: toTypeId('txn', transaction?.id ?? ''),
      points: 50,
      choiceSetId: null,
    });
    expect(transaction).toMatchObject({
      eventType: 'challenge.awarded',
      sourceReference: 'third',
      points: 50,
      occurredAt: daysFrom(noon, -1),
    });
    expect(rows(desk.store.tables.postings)).toMatchObject([
      { debitAccount: 'program.issuance', creditAccount: 'member.available', amount: 50 },
    ]);
    expect(rows(desk.store.tables.lots)).toMatchObject([{ available: 50, expiresAt: daysFrom(noon, 10) }]);
    expect(desk.profile()).toMatchObject({
      available: 50,
      lastActivityAt: noon,
      nextDueAt: daysFrom(noon, 10),
    });
    expect(desk.store.webhookEvents.at(-1)).toEqual({
      type: 'points.earned',
      data: {
        transactionId: award?.transactionId,
        programId: 'coffee-club',
        memberId: toTypeId('mem', desk.member().id),
        externalCustomerId: 'ann',
        eventType: 'challenge.awarded',
        sourceReference: 'third',
        challengeId: 'three-reviews',
        points: 50,
        basePoints: 0,
        campaignPoints: 0,
        activatesAt: null,
        occurredAt: daysFrom(noon, -1).toISOString(),
        balances: { available: 50, pending: 0, reserved: 0 },
        profileVersion: 2,
      },
    });
    expect(rows(desk.store.tables.audits).at(-1)).toMatchObject({
      action: 'challenge.completed',
      targetType: 'transaction',
      targetId: award?.transactionId,
    });
  });

  test('awards pending points where the program holds points back', () => {
    const desk = club({ challenges: [{ ...reviews, goal: { count: 1 } }], pending: { days: 14 } });
    happen(desk);
    expect(desk.profile()).toMatchObject({ available: 0, pending: 50, nextDueAt: daysFrom(noon, 14) });
    happen(desk, { occurredAt: daysFrom(noon, -14).toISOString() });
    expect(desk.profile()).toMatchObject({ available: 50, pending: 50 });
  });

  test('counts for no tier and against no member limit', () => {
    const limit = { points: 10, period: 'day', onExceed: 'reject' } as const;
    const desk = club({ challenges: [{ ...reviews, goal: { count: 1 } }], memberLimit: limit });
    happen(desk);
    expect(desk.profile()).toMatchObject({ available: 50, qualificationPoints: 0, tier: 'bronze' });
    expect(rows(desk.store.tables.limitCounters)).toEqual([]);
  });

  test('grants a choice set once for each completion', () => {
    const desk = club();
    expect(awardsOf(runKm(desk, 25))).toEqual(
      Array(2).fill({
        programId: 'coffee-club',
        challengeId: 'ten-km',
        transactionId: null,
        points: 0,
        choiceSetId: 'perks',
      }),
    );
    runKm(desk, 5);
    expect(rows(desk.store.tables.choiceGrants)).toMatchObject(
      [1, 2, 3].map((number) => ({
        grantedBy: `challenge:ten-km#${number}`,
        choices: 2,
        remaining: 2,
        state: 'open',
        grantedAt: noon,
        expiresAt: daysFrom(noon, 30),
      })),
    );
    expect(desk.store.webhookEvents.filter(({ type }) => type === 'points.earned')).toEqual([]);
  });

  test('grants again in each window', () => {
    const daily = { ...distance, window: { period: 'day' as const } };
    const desk = club({ challenges: [daily] });
    runKm(desk, 10);
    desk.now = daysFrom(noon, 1);
    runKm(desk, 10);
    expect(rows(desk.store.tables.choiceGrants).map(({ grantedBy }) => grantedBy)).toEqual([
      'challenge:ten-km#1@2026-03-04T00:00:00.000Z',
      'challenge:ten-km#1@2026-03-05T00:00:00.000Z',
    ]);
  });

  test('of a member who is enrolled nowhere is accepted and counts for nothing', () => {
    const desk = new Desk();
    desk.publish(program(engagement));
    desk.createMember();
    for (let times = 0; times < 3; times += 1) expect(awardsOf(happen(desk))).toEqual([]);
    expect(rows(desk.store.tables.challengeProgress)).toEqual([]);
    desk.enroll();
    desk.unenroll();
    expect(awardsOf(happen(desk))).toEqual([]);
    expect(rows(desk.store.tables.challengeProgress)).toEqual([]);
  });

  test('counts in every program that the member is enrolled in, whichever defines it', () => {
    const desk = club({ challenges: [{ ...reviews, goal: { count: 1 } }] });
    const tea = { ...reviews, id: 'tea', goal: { count: 1 }, award: { points: 7 } };
    desk.publish(program({ id: 'tea-club', challenges: [tea] }));
    desk.publish(program({ id: 'wine-club', challenges: [tea] }));
    desk.enroll({ programId: 'tea-club' });
    expect(awardsOf(happen(desk)).map(({ programId, points }) => [programId, points])).toEqual([
      ['coffee-club', 50],
      ['tea-club', 7],
    ]);
    expect(desk.profile('ann', 'tea-club').available).toBe(7);
  });

  test('ends on the way what was over before it awarded', () => {
    const desk = club({
      challenges: [{ ...reviews, goal: { count: 1 } }],
      expiration: { policy: 'inactivity', days: 10 },
    });
    happen(desk);
    desk.now = daysFrom(noon, 9);
    happen(desk);
    expect(desk.profile().available).toBe(100);
    desk.now = daysFrom(noon, 19);
    happen(desk);
    expect(desk.profile().available).toBe(50);
    expect(rows(desk.store.tables.transactions).map(({ eventType }) => eventType)).toContain(
      'points.expired',
    );
  });
});

describe('what is refused', () => {
  test.each([
    ['an unknown type', { type: 'photo' }, 'event_definition_not_found'],
    ['a type that is switched off', { type: 'quiz' }, 'event_definition_not_found'],
    ['an unknown member', { externalCustomerId: 'nobody' }, 'member_not_found'],
    [
      'an unknown type of an unknown member',
      { type: 'photo', externalCustomerId: 'nobody' },
      'event_definition_not_found',
    ],
    ['attributes that the definition does not allow', { attributes: { stars: 6 } }, 'attributes_invalid'],
    ['an event of the future', { occurredAt: '2026-03-04T12:05:00.001Z' }, 'validation_failed'],
  ])('%s', (_name, change, code) => {
    const desk = club();
    expect(codeOf(happen(desk, change))).toBe(code);
    expect(rows(desk.store.tables.customEvents)).toEqual([]);
  });

  test('an event may be five minutes ahead', () => {
    expect(codeOf(happen(club(), { occurredAt: '2026-03-04T12:05:00.000Z' }))).toBe('done');
  });

  test('an event of a suspended member', () => {
    const desk = club();
    desk.setMember({ status: 'suspended' });
    expect(codeOf(happen(desk))).toBe('member_not_found');
  });

  test('what every program asks of the attributes has to hold, and each violation is named', () => {
    const desk = club();
    const attributesSchema = {
      type: 'object',
      required: ['title'],
      properties: { title: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
    };
    desk.publish(program({ id: 'tea-club', eventDefinitions: [{ type: 'review', attributesSchema }] }));
    expect(happen(desk)).toMatchObject({
      code: 'attributes_invalid',
      details: [{ path: 'attributes.title', message: "must have required property 'title'" }],
    });
    expect(happen(desk, { attributes: { title: 'Fine', tags: ['a', 1] } })).toMatchObject({
      details: [{ path: 'attributes.tags[1]', message: 'must be string' }],
    });
    expect(codeOf(happen(desk, { attributes: { title: 'Fine', stars: 6 } }))).toBe('attributes_invalid');
    expect(codeOf(happen(desk, { attributes: { title: 'Fine', stars: 5 } }))).toBe('done');
  });

  test('attributes hold 1,000 values at any depth, and no more, whatever the definition asks', () => {
    const desk = club();
    const listed = (values: number) => ({
      attributes: { stars: 5, lists: [{ list: Array(values - 4).fill(0) }] },
    });
    expect(codeOf(happen(desk, listed(1_000)))).toBe('done');
    expect(happen(desk, listed(1_001))).toMatchObject({
      code: 'attributes_invalid',
      details: [{ path: 'attributes', message: 'must have at most 1000 values in all' }],
    });
  });

  test('a definition that was published under a wider bound still holds', () => {
    const kinds = Array.from({ length: 900 }, (_, index) => ({ const: index }));
    const attributesSchema = { properties: { list: { type: 'array', items: { oneOf: kinds } } } };
    const desk = club();
    desk.publish(program({ id: 'tea-club', eventDefinitions: [{ type: 'review', attributesSchema }] }));
    expect(codeOf(happen(desk, { attributes: { list: [1, 899] } }))).toBe('done');
    expect(codeOf(happen(desk, { attributes: { list: [1, 900] } }))).toBe('attributes_invalid');
  });

  test('an award that the balance cannot hold, and nothing of the event is kept', () => {
    const points = Number.MAX_SAFE_INTEGER;
    const desk = club({ challenges: [{ ...reviews, goal: { count: 1 }, award: { points } }] });
    expect(codeOf(happen(desk))).toBe('done');
    expect(codeOf(happen(desk))).toBe('balance_limit_exceeded');
    expect(rows(desk.store.tables.customEvents)).toHaveLength(1);
    expect(rows(desk.store.tables.challengeProgress)).toMatchObject([{ reached: 1 }]);
  });
});

describe('a reference that comes again', () => {
  test('is answered as the first time, under the same key and under a new one, and counts once', () => {
    const desk = club({ challenges: [{ ...reviews, goal: { count: 1 } }] });
    const first = receiptOf(happen(desk, { idempotencyKey: 'a', sourceReference: 'review-1' }));
    const replayed = happen(desk, { idempotencyKey: 'a', sourceReference: 'review-1' });
    const repeated = happen(desk, {
      idempotencyKey: 'b',
      sourceReference: 'review-1',
      attributes: { stars: 1 },
    });
    expect({ replayed: codeOf(replayed), repeated: codeOf(repeated) }).toEqual({
      replayed: 'replayed',
      repeated: 'replayed',
    });
    expect({ replayed: receiptOf(replayed), repeated: receiptOf(repeated) }).toEqual({
      replayed: first,
      repeated: first,
    });
    expect(desk.profile().available).toBe(50);
    expect(rows(desk.store.tables.customEvents)).toHaveLength(1);
  });

  test('is answered so also where the type has been switched off since', () => {
    const desk = club();
    happen(desk, { sourceReference: 'review-1' });
    desk.publish(program({ ...engagement, eventDefinitions: [] }));
    expect(codeOf(happen(desk, { sourceReference: 'review-1' }))).toBe('replayed');
    expect(codeOf(happen(desk, { sourceReference: 'review-2' }))).toBe('event_definition_not_found');
  });

  test('for another type or another member is a conflict', () => {
    const desk = club();
    desk.createMember({ externalCustomerId: 'bob' });
    happen(desk, { sourceReference: 'review-1' });
    expect(codeOf(happen(desk, { sourceReference: 'review-1', type: 'run' }))).toBe(
      'source_reference_conflict',
    );
    const bobs = { sourceReference: 'review-1', externalCustomerId: 'bob' };
    expect(codeOf(happen(desk, bobs))).toBe('source_reference_conflict');
  });

  test('a key with another event is refused', () => {
    const desk = club();
    happen(desk, { idempotencyKey: 'a', sourceReference: 'review-1' });
    expect(codeOf(happen(desk, { idempotencyKey: 'a', sourceReference: 'review-2' }))).toBe(
      'idempotency_key_reused',
    );
  });

  test('in one batch counts once', () => {
    const desk = club({ challenges: [{ ...reviews, goal: { count: 1 } }] });
    const commands = ['a', 'b', 'c'].map((idempotencyKey) =>
      recordCustomEvent(
        { idempotencyKey, type: 'review', externalCustomerId: 'ann', sourceReference: 'review-1' },
        desk.caller,
      ),
    );
    expect(desk.store.runBatch(commands, desk.now).map(codeOf)).toEqual(['done', 'replayed', 'replayed']);
    expect(desk.profile().available).toBe(50);
  });
});

test('each event of a batch counts on from the one before it', () => {
  const desk = club();
  const commands = Array.from({ length: 7 }, (_, index) =>
    recordCustomEvent(
      {
        idempotencyKey: `k-${index}`,
        type: 'review',
        externalCustomerId: 'ann',
        sourceReference: `review-${index}`,
      },
      desk.caller,
    ),
  );
  const outcomes = desk.store.runBatch(commands, desk.now);
  expect(outcomes.map((outcome) => awardsOf(outcome).length)).toEqual([0, 0, 1, 0, 0, 1, 0]);
  expect(rows(desk.store.tables.challengeProgress)).toMatchObject([{ reached: 7, completions: 2 }]);
  expect(desk.profile().available).toBe(100);
});

test('a tier that a challenge looks at is the present one', () => {
  const forGold = {
    ...reviews,
    goal: { count: 1 },
    conditions: [{ field: 'profile.tier', operator: 'equals' as const, value: 'gold' }],
  };
  const desk = club({ challenges: [forGold] });
  expect(awardsOf(happen(desk))).toEqual([]);
  desk.setProfile({ tier: 'gold' });
  expect(awardsOf(happen(desk))).toHaveLength(1);
  const renamed = { ...engagement, challenges: [forGold], tiers: [tier('gold', 0, 1)] };
  desk.publish(program(renamed));
  desk.setProfile({ tier: 'platinum' });
  expect(awardsOf(happen(desk))).toHaveLength(1);
});

describe('an award that comes after time has ended something', () => {
  const rewards = [reward({ inventory: 1, holdSeconds: 600 })];

  test('lets points lapse that were over, in their lots as well', () => {
    const desk = club({ expiration: { policy: 'inactivity', days: 30 } });
    desk.earn();
    desk.now = daysFrom(noon, 30);
    for (const _ of [1, 2, 3]) happen(desk);
    expect(desk.profile().available).toBe(50);
    expect(rows(desk.store.tables.lots).map(({ available }) => available)).toEqual([0, 50]);
  });

  test('ends a hold, and gives back what it had of the stock and of the lots', () => {
    const desk = rewardCounter({ ...engagement, rewards });
    desk.hold();
    expect(rows(desk.store.tables.stocks)).toMatchObject([{ taken: 1 }]);
    desk.inSeconds(600);
    for (const _ of [1, 2, 3]) happen(desk);
    expect(desk.newestReservation.state).toBe('expired');
    expect(rows(desk.store.tables.stocks)).toMatchObject([{ taken: 0 }]);
    expect(desk.balances).toEqual([300, 0, 0]);
    expect(desk.lots).toEqual(['50/0', '120/0', '80/0', '50/0']);
  });

  test('takes back out of an ended hold what its order owes', () => {
    const desk = rewardCounter({ ...engagement, rewards: [reward({ points: 250, holdSeconds: 600 })] });
    desk.hold();
    const [order] = rows(desk.store.tables.orders);
    const sourceReference = order?.sourceReference ?? '';
    desk.return({ sourceReference, returnReference: 'r-1', returnAmountMinor: 5_000 });
    expect(desk.store.tables.orders.get(sourceReference)).toMatchObject({ clawedBack: 0 });
    desk.inSeconds(600);
    for (const _ of [1, 2, 3]) happen(desk);
    expect(desk.store.tables.orders.get(sourceReference)).toMatchObject({ clawedBack: 50 });
    expect(desk.balances).toEqual([250, 0, 0]);
  });
});
