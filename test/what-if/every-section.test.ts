import { beforeAll, expect, test } from '@jest/globals';
import { Random } from '../../simulator/random.ts';
import { operator } from '../../src/admin/shared/admin-change.ts';
import { purchaseEarn } from '../../src/commands/earning/purchase-earn.ts';
import { recordCustomEvent } from '../../src/commands/engagement/record-custom-event.ts';
import { recordReturn } from '../../src/commands/returns/record-return.ts';
import { createPrisma } from '../../src/db/prisma.ts';
import type { Command, Outcome } from '../../src/ledger/command.ts';
import type { ProgramDocument } from '../../src/programs/document/program-document.ts';
import { isRefusal } from '../../src/refusal.ts';
import { simulateProgram } from '../../src/what-if/simulate-program.ts';
import { fixture } from '../support/fixture.ts';
import { useCounter, useWriter } from '../support/ledger/use-counter.ts';
import { program, tier } from '../support/rules/fixtures.ts';
import { makeCodes } from '../support/surfaces/coupon-codes.ts';

// A history that uses every section that awards points: campaigns for audiences with caps of every kind, coupons with
// limits, referrals, challenges; and returns, because audiences depend on them.

const MEMBERS = Array.from({ length: 8 }, (_, index) => `member-${index}`);

const published: ProgramDocument = program({
  tiers: [tier('bronze', 0, 1), tier('silver', 800, 5, 4)],
  qualification: { window: 'rolling_12_months' },
  audiences: [
    {
      id: 'regulars',
      match: 'all',
      conditions: [{ field: 'history.purchaseCount', operator: 'gte', value: 4 }],
    },
    {
      id: 'spenders',
      match: 'all',
      conditions: [{ field: 'history.purchaseAmountMinor', operator: 'gte', value: 100_000 }],
    },
    {
      id: 'friends',
      match: 'all',
      conditions: [{ field: 'member.tags', operator: 'equals', value: 'friend' }],
    },
  ],
  campaigns: [
    {
      id: 'double',
      audiences: ['regulars'],
      match: 'all',
      conditions: [],
      award: { multiplier: { numerator: 2, denominator: 1 }, rounding: 'floor' },
      caps: { memberPoints: 700 },
    },
    {
      id: 'launch',
      match: 'all',
      conditions: [],
      award: { bonusPoints: 25 },
      caps: { totalPoints: 1_010, memberPeriod: { points: 200, period: 'day' } },
    },
    {
      id: 'thanks',
      audiences: ['spenders', 'friends'],
      match: 'all',
      conditions: [],
      award: { bonusPoints: 7 },
    },
  ],
  coupons: [
    { code: 'SPRING', award: { bonusPoints: 40 }, limits: { total: 11, perMember: 2 } },
    { code: 'SUMMER', award: { bonusPoints: 30 }, limits: { perMember: 3 }, pool: { usesPerCode: 3 } },
  ],
  referral: { referrerPoints: 300, refereePoints: 100, maxPerReferrer: 2 },
  eventDefinitions: [{ type: 'review' }],
  challenges: [
    {
      id: 'critic',
      eventType: 'review',
      match: 'all',
      conditions: [],
      goal: { count: 3 },
      repeatable: true,
      award: { points: 50 },
    },
  ],
  memberLimit: { points: 3_000, period: 'lifetime', onExceed: 'trim' },
});

let poolCodes: string[] = [];

const counter = useCounter({ twins: true });
const writer = useWriter(counter);
const shop = fixture('the shop', () => counter.environment(published));

beforeAll(async () => {
  await shop.addMembers(writer, MEMBERS);
  await counter.database.adminPool.query(
    `update members set tags = '{friend}' where environment_id = $1 and external_customer_id = 'member-3'`,
    [shop.id],
  );
  const administrator = { prisma: createPrisma(counter.database.adminPool), actor: operator('eve') };
  const pool = { environmentId: shop.id, programId: published.id, poolId: 'SUMMER' };
  poolCodes = await makeCodes(counter.database, { administrator }, pool, 8);
  await live(new Random(11));
});

async function live(random: Random): Promise<void> {
  const { rows: codes } = await counter.database.adminPool.query<{ customer: string; code: string }>(
    `select m.external_customer_id as customer, p.referral_code as code from program_profiles p
      join members m on m.id = p.member_id where p.environment_id = $1 order by 1`,
    [shop.id],
  );
  const orders: { customer: string; reference: string }[] = [];
  for (let step = 0; step < 150; step += 1) {
    const customer = random.pick(MEMBERS);
    const reference = `order-${step}`;
    const order = orders.length > 0 && random.chance(0.12) ? random.pick(orders) : null;
    if (order) await run(returnOf(order, `return-${step}`));
    else if (random.chance(0.25)) await run(review(customer, `review-${step}`));
    else {
      const friend = random.chance(0.5) ? random.pick(codes) : null;
      await run(
        purchaseEarn(
          {
            idempotencyKey: reference,
            programId: 'coffee-club',
            externalCustomerId: customer,
            sourceReference: reference,
            amountMinor: random.between(1_000, 30_000),
            channel: 'web',
            ...(random.chance(0.3) ? { couponCode: random.pick(['SPRING', 'UNKNOWN', ...poolCodes]) } : {}),
            ...(friend ? { context: { attributes: { referralCode: friend.code } } } : {}),
          },
          shop.caller,
          friend?.customer ?? null,
        ),
      );
      orders.push({ customer, reference });
    }
  }
}

function returnOf({ customer, reference }: { customer: string; reference: string }, returnReference: string) {
  const command = recordReturn(
    { idempotencyKey: returnReference, sourceReference: reference, returnReference, returnAmountMinor: 300 },
    { programId: 'coffee-club', externalCustomerId: customer, points: 0, rewardId: null },
    shop.caller,
  );
  if (isRefusal(command)) throw new Error(command.code);
  return command;
}

function review(externalCustomerId: string, sourceReference: string): Command {
  return recordCustomEvent(
    { idempotencyKey: sourceReference, type: 'review', externalCustomerId, sourceReference },
    shop.caller,
  );
}

async function run(command: Command): Promise<void> {
  const outcome: Outcome = await writer.submit(command);
  if (isRefusal(outcome) && outcome.code !== 'return_exceeds_remaining') throw new Error(outcome.code);
}

async function simulate(draft: ProgramDocument) {
  const client = await counter.database.adminPool.connect();
  try {
    return await simulateProgram(client, {
      environmentId: shop.id,
      draft,
      from: null,
      to: null,
      clock: 'receipt',
      top: 3,
      onProgress: () => undefined,
    });
  } finally {
    client.release();
  }
}

test('the history reaches every section', async () => {
  const { sources, points } = await simulate(published);
  const met = new Set(sources.filter(({ now }) => now !== '0').map(({ kind }) => kind));
  for (const kind of ['earn_rule', 'tier', 'campaign', 'campaign_cap', 'coupon', 'challenge', 'referral']) {
    expect(met).toContain(kind);
  }
  expect(met).toContain('member_limit');
  const referrals = await counter.value<string>(
    `select sum(points)::text from transactions where environment_id = $1 and event_type = 'referral.awarded'`,
    [shop.id],
  );
  expect(points.referrals.now).toBe(referrals);
});

test('the same document makes no difference in any of them', async () => {
  const report = await simulate(published);
  expect(report.sources.filter(({ difference }) => difference !== '0')).toEqual([]);
  expect(report.points).toMatchObject({
    total: { difference: '0' },
    base: { difference: '0' },
    campaigns: { difference: '0' },
    challenges: { difference: '0' },
    referrals: { difference: '0' },
  });
  expect(report.members).toMatchObject({ same: MEMBERS.length, topWinners: [], topLosers: [] });
});

test('without a section, the draft does not award its points', async () => {
  const { referral: _referral, challenges: _challenges, ...rest } = published;
  const { points } = await simulate(rest);
  expect(points.referrals.draft).toBe('0');
  expect(points.challenges.draft).toBe('0');
  expect({ base: points.base.difference, campaigns: points.campaigns.difference }).toEqual({
    base: '0',
    campaigns: '0',
  });
});

test('a harder challenge is completed less often', async () => {
  const [critic] = published.challenges ?? [];
  if (!critic) throw new Error('no challenge');
  const { points } = await simulate({ ...published, challenges: [{ ...critic, goal: { count: 6 } }] });
  expect(BigInt(points.challenges.draft)).toBeLessThan(BigInt(points.challenges.now));
  expect(points.base.difference).toBe('0');
});
