import { beforeAll, describe, expect, test } from '@jest/globals';
import { Random } from '../../simulator/random.ts';
import { approveAdjustment } from '../../src/commands/adjustments/approve-adjustment.ts';
import { requestAdjustment } from '../../src/commands/adjustments/request-adjustment.ts';
import { purchaseEarn } from '../../src/commands/earning/purchase-earn.ts';
import { recordCustomEvent } from '../../src/commands/engagement/record-custom-event.ts';
import type { Caller } from '../../src/commands/shared/caller.ts';
import { fromTypeId, newUuid } from '../../src/ids.ts';
import type { Command, Outcome } from '../../src/ledger/command.ts';
import type { ProgramDocument } from '../../src/programs/document/program-document.ts';
import { isRefusal } from '../../src/refusal.ts';
import type { SimulationReport } from '../../src/what-if/report.ts';
import { type SimulateOptions, simulateProgram } from '../../src/what-if/simulate-program.ts';
import { receiptOf } from '../support/commands/desk.ts';
import type { Shop } from '../support/ledger/counter.ts';
import { useCounter, useWriter } from '../support/ledger/use-counter.ts';
import { program, tier } from '../support/rules/fixtures.ts';

// Histories in which members enroll, unenroll and enroll again, with events before, between and after.

const MEMBERS = Array.from({ length: 6 }, (_, index) => `member-${index}`);
const STEPS = 60;
const AT_ONCE = 5;

const published: ProgramDocument = program({
  tiers: [tier('bronze', 0, 1), tier('silver', 60, 2), tier('gold', 200, 3)],
  audiences: [
    {
      id: 'regulars',
      match: 'all',
      conditions: [{ field: 'history.purchaseCount', operator: 'gte', value: 3 }],
    },
  ],
  campaigns: [
    {
      id: 'double',
      audiences: ['regulars'],
      match: 'all',
      conditions: [],
      award: { multiplier: { numerator: 2, denominator: 1 }, rounding: 'floor' },
      caps: { memberPoints: 150 },
    },
  ],
  referral: { referrerPoints: 30, refereePoints: 10 },
  eventDefinitions: [{ type: 'review' }, { type: 'visit' }],
  challenges: [
    {
      id: 'critic',
      eventType: 'review',
      match: 'all',
      conditions: [],
      goal: { count: 2 },
      repeatable: true,
      award: { points: 5 },
    },
    {
      id: 'gold-visit',
      eventType: 'visit',
      match: 'all',
      conditions: [{ field: 'profile.tier', operator: 'not_equals', value: 'bronze' }],
      goal: { count: 1 },
      repeatable: true,
      award: { points: 3 },
    },
  ],
});

const counter = useCounter({ twins: true });
const writer = useWriter(counter);

/** Sends random commands of members, a few at once. @returns counts of each command by outcome */
async function live(shop: Shop, random: Random): Promise<Map<string, number>> {
  const seen = new Map<string, number>();
  for (const id of MEMBERS) await writer.submit(shop.createMember(id));
  for (let step = 0; step < STEPS; step += 1) {
    const codes = await referralCodes(shop);
    await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, index) => {
        const what = random.pick([
          'enroll',
          'enroll',
          'leave',
          'leave',
          'buy',
          'buy',
          'review',
          'visit',
        ] as const);
        const customer = random.pick(MEMBERS);
        const outcome = await (what === 'leave'
          ? leave(shop, customer)
          : writer.submit(commandOf(what, shop, customer, `${step}-${index}`, random, codes)));
        const name = `${what} ${isRefusal(outcome) ? outcome.code : 'done'}`;
        seen.set(name, (seen.get(name) ?? 0) + 1);
      }),
    );
  }
  return seen;
}

function commandOf(
  what: 'enroll' | 'buy' | 'review' | 'visit',
  shop: Shop,
  externalCustomerId: string,
  name: string,
  random: Random,
  codes: readonly { customer: string; code: string }[],
): Command {
  if (what === 'enroll') return shop.enroll(externalCustomerId);
  const common = { idempotencyKey: name, externalCustomerId, sourceReference: name };
  if (what !== 'buy') return recordCustomEvent({ ...common, type: what }, shop.caller);
  const friend = codes.length > 0 && random.chance(0.6) ? random.pick(codes) : null;
  return purchaseEarn(
    {
      ...common,
      programId: 'coffee-club',
      amountMinor: random.between(0, 4_000),
      channel: 'web',
      ...(friend ? { context: { attributes: { referralCode: friend.code } } } : {}),
    },
    shop.caller,
    friend?.customer ?? null,
  );
}

/** Unenrolls a member, after an approved debit adjustment of its points: with points it cannot leave. */
async function leave(shop: Shop, externalCustomerId: string): Promise<Outcome> {
  const points = await counter.value<number | undefined>(
    `select available from program_profiles p join members m on m.environment_id = p.environment_id and m.id = p.member_id
      where p.environment_id = $1 and m.external_customer_id = $2`,
    [shop.id, externalCustomerId],
  );
  if (points) {
    const asked = await writer.submit(
      requestAdjustment(
        {
          ...{ idempotencyKey: newUuid(), reason: 'out', direction: 'debit', points },
          ...{ programId: 'coffee-club', externalCustomerId },
          evidence: { ticket: 'CS-1' },
        },
        shop.caller,
      ),
    );
    const { adjustment } = receiptOf(asked) as { adjustment: { id: string } };
    const owner = { programId: 'coffee-club', externalCustomerId, points };
    const boss: Caller = { ...shop.caller, actor: { type: 'api_key', id: 'key_boss' } };
    await writer.submit(
      approveAdjustment(
        { idempotencyKey: adjustment.id, adjustmentId: adjustment.id, reason: 'out' },
        { ...owner, id: fromTypeId('adj', adjustment.id) ?? '' },
        boss,
      ),
    );
  }
  return writer.submit(shop.unenroll(externalCustomerId));
}

async function referralCodes(shop: Shop): Promise<{ customer: string; code: string }[]> {
  const { rows } = await counter.database.adminPool.query<{ customer: string; code: string }>(
    `select m.external_customer_id as customer, p.referral_code as code from program_profiles p
      join members m on m.id = p.member_id where p.environment_id = $1 order by 1`,
    [shop.id],
  );
  return rows;
}

async function simulate(shop: Shop, options: Partial<SimulateOptions> = {}): Promise<SimulationReport> {
  const client = await counter.database.adminPool.connect();
  try {
    return await simulateProgram(client, {
      environmentId: shop.id,
      draft: published,
      from: null,
      to: null,
      clock: 'receipt',
      top: 3,
      onProgress: () => undefined,
      ...options,
    });
  } finally {
    client.release();
  }
}

describe.each([1, 2, 3])('a random history (seed %i)', (seed) => {
  let shop: Shop;
  let seen: Map<string, number>;

  beforeAll(async () => {
    shop = await counter.environment(published);
    seen = await live(shop, new Random(seed));
  });

  test('has members who enroll, unenroll and enroll again, and events while they are not enrolled', async () => {
    for (const name of ['enroll done', 'leave done', 'buy done', 'buy enrollment_required', 'review done']) {
      expect(seen.get(name) ?? name).toEqual(expect.any(Number));
    }
  });

  test('gives exactly the same under the published document', async () => {
    const report = await simulate(shop);
    expect(report.refused).toEqual([]);
    expect(report.sources.filter((row) => row.difference !== '0' || row.countNow !== row.countDraft)).toEqual(
      [],
    );
    expect(report.tiers.filter(({ difference }) => difference !== '0')).toEqual([]);
    expect(report.months.filter(({ difference }) => difference !== '0')).toEqual([]);
    expect(report.members).toMatchObject({ topWinners: [], topLosers: [] });
    const really = await counter.value<string>(
      `select coalesce(sum(points) filter (where event_type in
         ('purchase.completed', 'challenge.awarded', 'referral.awarded')), 0)::text
       from transactions where environment_id = $1`,
      [shop.id],
    );
    expect(report.points.total).toEqual({ now: really, draft: really, difference: '0' });
    expect(report.engagementEvents).toBe((seen.get('review done') ?? 0) + (seen.get('visit done') ?? 0));
  });
});

describe('engagement events', () => {
  const other = program({ id: 'tea-club', eventDefinitions: [{ type: 'brew' }, { type: 'visit' }] });
  const event = (shop: Shop, type: string, name: string, occurredAt?: string) =>
    writer.submit(
      recordCustomEvent(
        {
          idempotencyKey: name,
          type,
          externalCustomerId: 'member-0',
          sourceReference: name,
          ...(occurredAt ? { occurredAt } : {}),
        },
        shop.caller,
      ),
    );

  test('of types that neither the program nor the draft defines are not counted', async () => {
    const shop = await counter.environment(published, other);
    await shop.addMembers(writer, ['member-0']);
    for (const [index, type] of ['brew', 'brew', 'brew', 'visit', 'review'].entries()) {
      receiptOf(await event(shop, type, `event-${index}`));
    }
    const progress: number[] = [];
    const onProgress = (_done: number, total: number) => progress.push(total);
    expect((await simulate(shop, { onProgress })).engagementEvents).toBe(2);
    expect(new Set(progress)).toEqual(new Set([2]));
    const brews = program({ ...published, eventDefinitions: [{ type: 'brew' }], challenges: [] });
    expect((await simulate(shop, { draft: brews })).engagementEvents).toBe(5);
  });

  test('count on the clock of the events where they were received while the member was enrolled', async () => {
    const shop = await counter.environment(published);
    await writer.submit(shop.createMember('member-0'));
    const yesterday = new Date(Date.now() - 86_400_000).toISOString();
    for (const name of ['before-1', 'before-2']) receiptOf(await event(shop, 'review', name));
    receiptOf(await writer.submit(shop.enroll('member-0')));
    for (const name of ['in-1', 'in-2']) receiptOf(await event(shop, 'review', name, yesterday));
    receiptOf(await leave(shop, 'member-0'));
    for (const name of ['after-1', 'after-2']) receiptOf(await event(shop, 'review', name, yesterday));
    for (const clock of ['receipt', 'event'] as const) {
      const { points, engagementEvents } = await simulate(shop, { clock });
      expect({ challenges: points.challenges, engagementEvents }).toEqual({
        challenges: { now: '5', draft: '5', difference: '0' },
        engagementEvents: 6,
      });
    }
  });
});
