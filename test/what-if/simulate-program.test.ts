import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Writer } from '../../src/ledger/writer.ts';
import type { ProgramDocument } from '../../src/programs/program-document.ts';
import { isRefusal } from '../../src/refusal.ts';
import { Random } from '../../src/simulator/random.ts';
import type { SimulationReport } from '../../src/what-if/report.ts';
import { type SimulateOptions, simulateProgram } from '../../src/what-if/simulate-program.ts';
import { Counter, type Shop } from '../ledger/counter.ts';
import { program, rule, tier } from '../rules/fixtures.ts';

// Real commands on Postgres first; then what simulations say of them.

const PURCHASES = 400;
const MEMBERS = Array.from({ length: 12 }, (_, index) => `member-${index}`);

/** Rules, tiers that are reached on the way, and a limit that bites. */
const published = program({
  earn: {
    rules: [
      rule('app', [{ field: 'purchase.channel', operator: 'equals', value: 'app' }], { rateNumerator: 2 }),
      rule('beans', [{ field: 'items.category', operator: 'equals', value: 'beans' }], { rateNumerator: 3 }),
      rule('base'),
    ],
  },
  tiers: [tier('bronze', 0, 1), tier('silver', 500, 5, 4), tier('gold', 1500, 3, 2)],
  memberLimit: { points: 4_000, period: 'month', onExceed: 'trim' },
  expiration: { policy: 'rolling_days', days: 365 },
  pending: { days: 14 },
});

let counter: Counter;
let writer: Writer;
let shop: Shop;
let really: number;

beforeAll(async () => {
  counter = await Counter.open();
  writer = counter.writer();
  shop = await counter.environment(published);
  await shop.addMembers(writer, MEMBERS);
  await buyAtRandom(new Random(7));
  really = await counter.value<number>(
    'select sum(points)::bigint from transactions where environment_id = $1',
    [shop.id],
  );
}, 120_000);
afterAll(() => counter.close());

async function buyAtRandom(random: Random): Promise<void> {
  const buy = async (): Promise<void> => {
    const items = random.chance(0.3)
      ? [{ category: 'beans', quantity: 1, unitPriceMinor: random.between(100, 5_000) }]
      : undefined;
    const outcome = await writer.submit(
      shop.earn(random.pick(MEMBERS), {
        amountMinor: random.between(0, 20_000),
        channel: random.pick(['web', 'app', 'store'] as const),
        ...(items ? { items } : {}),
        ...(random.chance(0.2) ? pinned(random) : {}),
      }),
    );
    if (isRefusal(outcome)) throw new Error(outcome.code);
  };
  for (let bought = 0; bought < PURCHASES; bought += 20) {
    await Promise.all(Array.from({ length: 20 }, buy));
  }
}

function pinned(random: Random) {
  const svcEvaluation = {
    mode: 'event_time_pinned_configuration',
    configurationVersion: 1,
    memberTier: random.pick(['bronze', 'silver', 'gold']),
  };
  const occurredAt = new Date(Date.now() - random.between(1, 6 * 86_400_000)).toISOString();
  return { occurredAt, context: { attributes: { svcEvaluation, campaign: 'spring' } } };
}

async function simulate(
  draft: ProgramDocument,
  options: Partial<SimulateOptions> = {},
): Promise<SimulationReport> {
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
      ...options,
    });
  } finally {
    client.release();
  }
}

describe('the document that is published', () => {
  test('makes no difference, to the point', async () => {
    const report = await simulate(published);
    expect(report).toMatchObject({ purchases: PURCHASES, refused: [], publishedVersion: 1 });
    expect(report.points.total).toEqual({ now: `${really}`, draft: `${really}`, difference: '0' });
    for (const row of [...report.sources, ...report.tiers, ...report.months]) {
      expect(row).toMatchObject({ difference: '0', countDraft: row.countNow });
    }
    expect(report.members).toMatchObject({
      withPoints: MEMBERS.length,
      same: MEMBERS.length,
      better: { members: 0, points: '0' },
      worse: { members: 0, points: '0' },
      topWinners: [],
      topLosers: [],
    });
    expect(report.liability).toMatchObject({
      open: { now: `${really}`, draft: `${really}` },
      expired: { now: '0', draft: '0' },
    });
    expect(report.liability.pending.difference).toBe('0');
  });

  test('and the random purchases reach tiers, the limit and every rule', async () => {
    const { sources } = await simulate(published);
    expect(new Set(sources.map(({ kind, id }) => `${kind} ${id}`))).toEqual(
      new Set([
        'earn_rule app',
        'earn_rule beans',
        'earn_rule base',
        'tier bronze',
        'tier silver',
        'tier gold',
        'member_limit member_limit',
      ]),
    );
  });
});
