import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fromTypeId, toTypeId } from '../../../src/ids.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { codeOf, daysFrom, receiptOf, rows } from '../../support/commands/desk.ts';
import { type RewardCounter, reward, rewardCounter, WIDGET } from '../../support/commands/reward-counter.ts';
import { noon, program } from '../../support/rules/fixtures.ts';

const KEY = '5f0c8a52-7d53';
const commits = { deployment: { document: { ...WIDGET.document, redemption: 'commit' as const } } };

/** What a refused redemption must leave as it is: the tables of everything that it could write. */
function written({ store: { tables } }: RewardCounter): unknown {
  return [
    'quotes',
    'reservations',
    'transactions',
    'postings',
    'idempotency',
    'audits',
    'events',
    'stocks',
  ].map((name) => tables[name as 'quotes'].size);
}

describe('by default', () => {
  test('it holds the points in one command, with a quote that is used up', () => {
    const desk = rewardCounter({ rewards: [reward({ inventory: 2, holdSeconds: 60 })] });
    const receipt = receiptOf(desk.redeemInWidget({ idempotencyKey: KEY }));
    expect(receipt).toMatchObject({
      redemption: {
        id: toTypeId('rsv', desk.newestReservation.id),
        state: 'reserved',
        rewardId: 'mug',
        points: 100,
      },
      balance: { available: 150, pending: 0, reserved: 100 },
    });
    expect(desk.newestQuote).toMatchObject({ state: 'reserved', points: 100 });
    expect(desk.newestReservation).toMatchObject({
      quoteId: desk.newestQuote.id,
      state: 'reserved',
      sourceReference: expect.stringMatching(/^widget-[0-9a-f-]{36}$/),
      expiresAt: new Date('2026-03-04T12:01:00.000Z'),
      authorizationReference: null,
    });
    expect(rows(desk.store.tables.stocks)).toMatchObject([{ rewardId: 'mug', taken: 1 }]);
    expect(desk.events.slice(-1)).toEqual(['redemption.reserved']);
  });

  test('it writes one audit entry, of the widget', () => {
    const desk = rewardCounter();
    const before = desk.store.tables.audits.size;
    receiptOf(desk.redeemInWidget());
    expect(rows(desk.store.tables.audits).slice(before)).toMatchObject([
      {
        action: 'redemption.reserved',
        actorType: 'customer',
        actorId: WIDGET.deploymentId,
        targetId: toTypeId('rsv', desk.newestReservation.id),
      },
    ]);
  });
});

describe('where the document says commit', () => {
  test('it spends the points, authorized by what the merchant has published', () => {
    const desk = rewardCounter();
    const before = desk.store.tables.audits.size;
    expect(receiptOf(desk.redeemInWidget({}, commits))).toMatchObject({
      redemption: { state: 'committed', points: 100 },
      balance: { available: 150, pending: 0, reserved: 0 },
    });
    expect(desk.newestReservation).toMatchObject({
      state: 'committed',
      authorizationReference: `${WIDGET.deploymentId}:3`,
      fulfillmentStatus: 'pending',
    });
    expect(desk.events.slice(-2)).toEqual(['redemption.reserved', 'redemption.committed']);
    const [reserved, committed] = rows(desk.store.tables.transactions).slice(-2);
    expect(rows(desk.store.tables.audits).slice(before)).toMatchObject([
      {
        action: 'redemption.committed',
        changes: {
          transactionId: toTypeId('txn', committed?.id ?? ''),
          reserveTransactionId: toTypeId('txn', reserved?.id ?? ''),
        },
      },
    ]);
    // It can be reversed, as any other.
    receiptOf(desk.reverse());
    expect(desk.balances).toEqual([250, 0, 0]);
  });
});

describe('its key', () => {
  test('is the member’s own, and a second command under it gets the receipt of the first', () => {
    const desk = rewardCounter();
    const first = receiptOf(desk.redeemInWidget({ idempotencyKey: KEY }));
    const after = written(desk);
    // Also once the reward is gone, and the widget was published anew.
    desk.publish(program({ rewards: [] }));
    const again = desk.redeemInWidget(
      { idempotencyKey: KEY },
      { ifMatch: '"other"', deployment: { version: 4 } },
    );
    expect(again).toEqual({ receipt: first, idempotent: true });
    expect(written(desk)).toEqual(after);
    const [stored] = rows(desk.store.tables.idempotency).filter(
      ({ operation }) => operation === 'redeemInWidget',
    );
    expect(stored?.key).toBe(`${toTypeId('mem', desk.member().id)}:${KEY}`);
  });

  test('is refused for another reward, and for another widget', () => {
    const desk = rewardCounter({ rewards: [reward(), reward({ id: 'cup', points: 5 })] });
    receiptOf(desk.redeemInWidget({ idempotencyKey: KEY }));
    expect(codeOf(desk.redeemInWidget({ idempotencyKey: KEY, rewardId: 'cup' }))).toBe(
      'idempotency_key_reused',
    );
    const deploymentId = 'wdg_01jz8k2v9xe6tr8p2w4y6z8abd';
    expect(codeOf(desk.redeemInWidget({ idempotencyKey: KEY, deploymentId }))).toBe('idempotency_key_reused');
  });

  test('is not used up by a refusal', () => {
    const desk = rewardCounter({ rewards: [reward({ points: 300 })] });
    expect(codeOf(desk.redeemInWidget({ idempotencyKey: KEY }))).toBe('reward_not_available');
    desk.publish(program({ rewards: [reward({ points: 200 })] }));
    expect(receiptOf(desk.redeemInWidget({ idempotencyKey: KEY }))).toMatchObject({
      balance: { available: 50 },
    });
  });

  test('gives another member nothing: bob redeems under it too', () => {
    const desk = rewardCounter();
    receiptOf(desk.createMember({ externalCustomerId: 'bob' }));
    receiptOf(desk.enroll({ externalCustomerId: 'bob' }));
    receiptOf(desk.earn({ externalCustomerId: 'bob', amountMinor: 10_000 }));
    const ann = receiptOf(desk.redeemInWidget({ idempotencyKey: KEY }));
    const { id: memberId } = desk.member('bob');
    const bob = receiptOf(
      desk.redeemInWidget({ idempotencyKey: KEY }, { session: { memberId, externalCustomerId: 'bob' } }),
    );
    expect(bob).toMatchObject({ balance: { available: 0, reserved: 100 } });
    expect(bob).not.toEqual(ann);
  });
});

describe('what the widget does not offer is refused, and nothing is written', () => {
  const later = { availableFrom: daysFrom(noon, 1).toISOString() };
  const over = { availableUntil: noon.toISOString() };
  const gold = {
    match: 'all' as const,
    conditions: [{ field: 'profile.tier', operator: 'equals', value: 'gold' }],
  } as NonNullable<ReturnType<typeof reward>['eligibility']>;
  const others = Array.from({ length: 12 }, (_, index) => reward({ id: `other-${index}` }));

  test.each<[string, Partial<ProgramDocument>]>([
    ['no such reward', { rewards: [] }],
    ['too few points', { rewards: [reward({ points: 251 })] }],
    ['sold out', { rewards: [reward({ inventory: 0 })] }],
    ['not yet', { rewards: [reward(later)] }],
    ['no more', { rewards: [reward(over)] }],
    ['for others', { rewards: [reward({ eligibility: gold })] }],
    ['behind the first page', { rewards: [...others, reward()] }],
  ])('%s', (_why, document) => {
    const desk = rewardCounter();
    desk.publish(program(document));
    const before = written(desk);
    expect(codeOf(desk.redeemInWidget())).toBe('reward_not_available');
    expect(written(desk)).toEqual(before);
  });

  test('by a smaller page, or no catalog', () => {
    const desk = rewardCounter({ rewards: [reward({ id: 'cup', points: 1 }), reward()] });
    const document = { ...WIDGET.document };
    const [catalog] = document.components;
    const small = { ...document, components: [{ ...catalog, pageSize: 1 }] } as typeof document;
    const none = { ...document, components: [{ id: 'balance', kind: 'svc.balance' }] } as typeof document;
    expect(codeOf(desk.redeemInWidget({}, { deployment: { document: small } }))).toBe('reward_not_available');
    expect(codeOf(desk.redeemInWidget({}, { deployment: { document: none } }))).toBe('reward_not_available');
    const cup = { rewardId: 'cup' };
    expect(receiptOf(desk.redeemInWidget(cup, { deployment: { document: small } }))).toBeTruthy();
  });

  test('to a suspended member, and to one that has left or is somebody else', () => {
    const desk = rewardCounter();
    desk.setStatus('suspended');
    expect(codeOf(desk.redeemInWidget())).toBe('reward_not_available');
    desk.setStatus('active');
    const memberId = '01980000-0000-7000-8000-00000000dead';
    expect(codeOf(desk.redeemInWidget({}, { session: { memberId } }))).toBe('unauthorized');
    expect(codeOf(desk.redeemInWidget({}, { session: { externalCustomerId: 'zoe' } }))).toBe('unauthorized');
    receiptOf(desk.createMember({ externalCustomerId: 'bob' }));
    const bob = { memberId: desk.member('bob').id, externalCustomerId: 'bob' };
    expect(codeOf(desk.redeemInWidget({}, { session: bob }))).toBe('enrollment_required');
  });

  test('after the end of the session, to the millisecond', () => {
    const desk = rewardCounter();
    expect(codeOf(desk.redeemInWidget({}, { session: { expiresAt: desk.now } }))).toBe('unauthorized');
  });

  test('after its end in the real time, where the clock of a Sandbox runs ahead', () => {
    const clockAheadMs = 86_400_000;
    const desk = rewardCounter();
    desk.store.setClockAhead(clockAheadMs);
    const end = desk.now.getTime() - clockAheadMs;
    const redeem = (expiresAt: Date) => desk.redeemInWidget({}, { session: { expiresAt } });
    expect(codeOf(redeem(new Date(end)))).toBe('unauthorized');
    expect(codeOf(redeem(new Date(end + 1)))).toBe('done');
  });

  test('while Production is locked', () => {
    const desk = rewardCounter();
    desk.store.setLocked(true);
    expect(codeOf(desk.redeemInWidget())).toBe('production_locked');
  });
});

test.each([
  ['"wdg_01jz8k2v9xe6tr8p2w4y6z8abc:3"', 'done'],
  ['"wdg_01jz8k2v9xe6tr8p2w4y6z8abc:2", "wdg_01jz8k2v9xe6tr8p2w4y6z8abc:3"', 'done'],
  ['*', 'done'],
  ['"wdg_01jz8k2v9xe6tr8p2w4y6z8abc:3;points=100"', 'done'],
  ['"wdg_01jz8k2v9xe6tr8p2w4y6z8abc:3;points=99"', 'price_changed'],
  ['"wdg_01jz8k2v9xe6tr8p2w4y6z8abc:3;points=10"', 'price_changed'],
  ['"wdg_01jz8k2v9xe6tr8p2w4y6z8abc:3;points=1000"', 'price_changed'],
  ['"wdg_01jz8k2v9xe6tr8p2w4y6z8abc:2;points=100"', 'deployment_replaced'],
  ['"wdg_01jz8k2v9xe6tr8p2w4y6z8abc:2"', 'deployment_replaced'],
  ['W/"wdg_01jz8k2v9xe6tr8p2w4y6z8abc:3"', 'deployment_replaced'],
  ['wdg_01jz8k2v9xe6tr8p2w4y6z8abc:3', 'deployment_replaced'],
  ['', 'deployment_replaced'],
])('the page has read %s: %s', (ifMatch, code) => {
  const desk = rewardCounter();
  expect(codeOf(desk.redeemInWidget({}, { ifMatch }))).toBe(code);
});

/** The parts of a state that two ways to it have in common: without ids, and what names a command. */
function resultOf({ store: { tables, webhookEvents }, lots, balances }: RewardCounter): object {
  const events = webhookEvents.map(({ type, data }) => [type, data.points]);
  const postings = rows(tables.postings).map(({ debitAccount, creditAccount, amount }) => [
    debitAccount,
    creditAccount,
    amount,
  ]);
  const transactions = rows(tables.transactions).map(({ eventType, points }) => [eventType, points]);
  const reservations = rows(tables.reservations).map(({ state, points, terms, expiresAt, reservedAt }) => [
    ...[state, points, terms, expiresAt, reservedAt],
  ]);
  return { events, postings, transactions, reservations, lots, balances, stocks: rows(tables.stocks) };
}

test('it leaves what a quote, its reservation and its commit leave, however the points lie', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 6 }),
      fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), fc.boolean()), { minLength: 1, maxLength: 4 }),
      (lots, redemptions) => {
        const rewards = redemptions.map(([points], index) =>
          reward({ id: `r${index}`, points, ...(index % 2 ? { inventory: 1 } : {}) }),
        );
        const [one, three] = [rewardCounter({ rewards }), rewardCounter({ rewards })];
        for (const desk of [one, three]) for (const points of lots) desk.earn({ amountMinor: points * 100 });
        redemptions.forEach(([, commit], index) => {
          const rewardId = `r${index}`;
          const outcome = one.redeemInWidget({ rewardId }, commit ? commits : {});
          const quoted = three.quote({ rewardId });
          expect(codeOf(outcome) === 'done').toBe(codeOf(quoted) === 'done');
          if (codeOf(quoted) !== 'done') return;
          receiptOf(three.reserve());
          if (commit) receiptOf(three.commit());
        });
        expect(resultOf(one)).toEqual(resultOf(three));
      },
    ),
    { numRuns: 60 },
  );
});

test('the receipt holds the ids that the member may know', () => {
  const desk = rewardCounter();
  const { redemption } = receiptOf(desk.redeemInWidget()) as { redemption: { id: string } };
  expect(fromTypeId('rsv', redemption.id)).toBe(desk.newestReservation.id);
});
