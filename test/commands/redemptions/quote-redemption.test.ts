import { expect, test } from '@jest/globals';
import { toTypeId } from '../../../src/ids.ts';
import { codeOf, daysFrom, receiptOf, rows } from '../../support/commands/desk.ts';
import { reward, rewardCounter } from '../../support/commands/reward-counter.ts';
import { noon, program } from '../../support/rules/fixtures.ts';

test('a quote tells the price, the balance, the terms and its end, and moves nothing', () => {
  const desk = rewardCounter({
    rewards: [reward({ description: 'Blue.', holdSeconds: 120, inventory: 3 })],
    graceDays: 7,
  });
  const receipt = receiptOf(desk.quote({ sourceReference: 'checkout-9' }));
  const quote = {
    id: toTypeId('quo', desk.newestQuote.id),
    state: 'quoted',
    programId: 'coffee-club',
    externalCustomerId: 'ann',
    rewardId: 'mug',
    sourceReference: 'checkout-9',
    points: 100,
    availableBalance: 250,
    expiresAt: '2026-03-04T12:15:00.000Z',
    terms: {
      configurationVersion: 1,
      rewardName: 'A mug',
      description: 'Blue.',
      holdSeconds: 120,
      cancellationEvidenceRequired: false,
    },
  };
  expect(receipt).toEqual({ quote });
  expect(desk.newestQuote.terms).toMatchObject({ graceDays: 7, inventory: 3 });
  expect(desk.balances).toEqual([250, 0, 0]);
  expect(desk.store.tables.transactions.size).toBe(3);
  expect(desk.store.tables.stocks.size).toBe(0);
  expect(rows(desk.store.tables.audits).at(-1)).toMatchObject({
    action: 'redemption.quoted',
    targetType: 'quote',
    targetId: quote.id,
  });
});

test.each([
  [60, '2026-03-04T12:01:00.000Z'],
  [86_400, '2026-03-05T12:00:00.000Z'],
  [null, '2026-03-04T12:15:00.000Z'],
])('it holds for %s seconds', (ttlSeconds, expiresAt) => {
  expect(receiptOf(rewardCounter().quote({ ttlSeconds }))).toMatchObject({ quote: { expiresAt } });
});

test('the balance is that of the moment, swept or not', () => {
  const desk = rewardCounter({ pending: { days: 1 }, expiration: { policy: 'rolling_days', days: 2 } });
  expect(codeOf(desk.quote())).toBe('insufficient_points');
  desk.now = daysFrom(noon, 1);
  expect(receiptOf(desk.quote())).toMatchObject({ quote: { availableBalance: 250 } });
  expect(desk.balances).toEqual([250, 0, 0]);
  desk.now = daysFrom(noon, 3);
  expect(codeOf(desk.quote())).toBe('insufficient_points');
  // A refusal stores nothing.
  expect(desk.balances).toEqual([250, 0, 0]);
});

test('who may have it is asked of the standing of the moment', () => {
  const eligibility = {
    match: 'all' as const,
    conditions: [{ field: 'profile.tier', operator: 'equals' as const, value: 'silver' }],
  };
  const desk = rewardCounter({
    rewards: [reward({ eligibility })],
    qualification: { window: 'calendar_year' },
  });
  expect(codeOf(desk.quote())).toBe('reward_not_eligible');
  desk.earn({ amountMinor: 100_000 });
  expect(codeOf(desk.quote())).toBe('done');
  // Two years on without a purchase the member is back in the first tier, though the row does not say so yet.
  desk.now = new Date('2028-01-01T00:00:00.000Z');
  expect(desk.profile().tier).toBe('silver');
  expect(codeOf(desk.quote())).toBe('reward_not_eligible');
});

test('refusals, each before the ones below it', () => {
  const desk = rewardCounter();
  desk.quote({ idempotencyKey: 'used' });
  const eligibility = {
    match: 'all' as const,
    conditions: [{ field: 'profile.tier', operator: 'equals' as const, value: 'gold' }],
  };
  const offer = (overrides: object): void =>
    desk.publish(program({ rewards: [reward({ points: 251, ...overrides })] }));
  offer({ inventory: 0, eligibility });
  desk.setMember({ status: 'suspended' });
  desk.setProfile({ enrolled: false, unenrolledAt: noon });
  desk.store.setLocked(true);
  let input = { idempotencyKey: 'used', programId: 'no-club', rewardId: 'no-mug' };
  const steps: [code: string, repair: () => void][] = [
    ['idempotency_key_reused', () => (input = { ...input, idempotencyKey: 'fresh' })],
    ['production_locked', () => desk.store.setLocked(false)],
    ['program_not_found', () => (input = { ...input, programId: 'coffee-club' })],
    ['member_not_found', () => desk.setMember({ status: 'active' })],
    ['reward_not_found', () => (input = { ...input, rewardId: 'mug' })],
    ['enrollment_required', () => desk.setProfile({ enrolled: true, unenrolledAt: null })],
    ['reward_not_eligible', () => offer({ inventory: 0 })],
    ['inventory_exhausted', () => offer({ inventory: 1 })],
    ['insufficient_points', () => offer({ points: 250 })],
    ['done', () => {}],
    ['replayed', () => desk.store.setLocked(true)],
    ['replayed', () => {}],
  ];
  for (const [code, repair] of steps) {
    expect(codeOf(desk.quote(input))).toBe(code);
    repair();
  }
  expect(desk.store.tables.quotes.size).toBe(2);
});

test('a program that is not in effect yet is not found', () => {
  const desk = rewardCounter();
  desk.publish(program({ rewards: [reward()] }), { effectiveFrom: daysFrom(noon, 1) });
  expect(codeOf(desk.quote())).toBe('program_not_found');
});
