import { beforeAll, describe, expect, test } from '@jest/globals';
import { Random } from '../../simulator/random.ts';
import type { ProgramDocument } from '../../src/programs/document/program-document.ts';
import { isRefusal } from '../../src/refusal.ts';
import type { SimulationReport } from '../../src/what-if/report.ts';
import { NotComparable, type SimulateOptions, simulateProgram } from '../../src/what-if/simulate-program.ts';
import { fixture } from '../support/fixture.ts';
import { useCounter, useWriter } from '../support/ledger/use-counter.ts';
import { program, rule, tier } from '../support/rules/fixtures.ts';

// Commands on Postgres, then simulations of their history.

const PURCHASES = 400;
const MEMBERS = Array.from({ length: 12 }, (_, index) => `member-${index}`);

/** Rules, tiers that members reach, and a limit that they exceed. */
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

let really: number;

const counter = useCounter({ twins: true });
const writer = useWriter(counter);
const shop = fixture('the shop', () => counter.environment(published));

beforeAll(async () => {
  await shop.addMembers(writer, MEMBERS);
  await buyAtRandom(new Random(7));
  really = await counter.value<number>(
    'select sum(points)::bigint from transactions where environment_id = $1',
    [shop.id],
  );
});

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

describe('the published document', () => {
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

describe('another document', () => {
  test('with double rates awards double points, where neither tier nor limit has an effect', async () => {
    const flat = { tiers: [tier('bronze', 0, 1)], loyaltyUnitPrecision: 0 };
    const single = await simulate(program({ ...flat, earn: { rules: [rule('all')] } }));
    const double = await simulate(
      program({ ...flat, earn: { rules: [rule('all', [], { rateNumerator: 2, rounding: 'floor' })] } }),
    );
    const amounts = await counter.database.adminPool.query<{ single: string; double: string }>(
      `select sum(amount_minor / 100)::text as single, sum(amount_minor * 2 / 100)::text as double
        from orders where environment_id = $1`,
      [shop.id],
    );
    const points = { single: single.points.total.draft, double: double.points.total.draft };
    expect(points).toEqual(amounts.rows[0]);
    expect(single.points.total.now).toBe(`${really}`);
  });

  test('has winners and losers, and the sums agree', async () => {
    const { members, points, months } = await simulate(program({ tiers: published.tiers }), { top: 2 });
    const { better, worse, same, withPoints } = members;
    expect(better.members + worse.members + same).toBe(withPoints);
    expect(BigInt(better.points) + BigInt(worse.points)).toBe(BigInt(points.total.difference));
    expect(months.reduce((sum, { difference }) => sum + BigInt(difference), 0n)).toBe(
      BigInt(points.total.difference),
    );
    expect(members.bands.reduce((sum, band) => sum + band.members, 0)).toBe(withPoints);
    expect(members.topLosers.length).toBeGreaterThan(0);
    for (const { now, draft, difference } of [...members.topWinners, ...members.topLosers]) {
      expect(difference).toBe(draft - now);
    }
  });

  test('with a limit that rejects is reported with its refusals', async () => {
    const report = await simulate({
      ...published,
      memberLimit: { points: 100, period: 'lifetime', onExceed: 'reject' },
    });
    const [refused] = report.refused;
    expect(refused).toMatchObject({ code: 'member_limit_reached' });
    expect(Number(report.points.total.draft)).toBeLessThanOrEqual(100 * MEMBERS.length);
    expect(refused?.purchases).toBeGreaterThan(PURCHASES / 2);
  });

  test('does not exceed a cap that all members share, to the point', async () => {
    const { memberLimit: _limit, ...unlimited } = published;
    const { points, sources } = await simulate({
      ...unlimited,
      campaigns: [
        {
          id: 'launch',
          match: 'all',
          conditions: [],
          award: { bonusPoints: 10 },
          caps: { totalPoints: 1_234 },
        },
      ],
    });
    expect(points.campaigns).toEqual({ now: '0', draft: '1234', difference: '1234' });
    const given = sources.filter(({ kind, id }) => kind.startsWith('campaign') && id.includes('launch'));
    expect(given.reduce((sum, { draft }) => sum + BigInt(draft), 0n)).toBe(1_234n);
  });

  test('with an end in the future, its lots are followed to that day', async () => {
    const inTwoYears = new Date(Date.now() + 2 * 365 * 86_400_000);
    const { liability } = await simulate(published, { to: inTwoYears });
    expect(liability.expired).toMatchObject({ now: `${really}`, draft: `${really}` });
    const lasting = await simulate({ ...published, expiration: { policy: 'never' } }, { to: inTwoYears });
    expect(lasting.liability).toMatchObject({
      expired: { now: `${really}`, draft: '0' },
      open: { now: '0', draft: `${really}` },
    });
    const idle = await simulate(
      { ...published, expiration: { policy: 'inactivity', days: 700 } },
      { to: inTwoYears },
    );
    expect(idle.liability.expired.draft).toBe(`${really}`);
  });

  test('of another currency, precision or program cannot be compared', async () => {
    await expect(simulate({ ...published, currency: 'EUR' })).rejects.toThrow(NotComparable);
    await expect(simulate({ ...published, loyaltyUnitPrecision: 2 })).rejects.toThrow(/worth something else/);
    await expect(simulate({ ...published, id: 'tea-club' })).rejects.toThrow(
      /No version of program tea-club/,
    );
  });
});

describe('a period', () => {
  test('counts its own events; earlier events decide the standing of members', async () => {
    const cut = await counter.value<Date>(
      `select created_at from transactions where environment_id = $1
        order by created_at, id offset $2 limit 1`,
      [shop.id, PURCHASES / 2],
    );
    const whole = await simulate(published);
    const before = await simulate(published, { to: cut });
    const after = await simulate(published, { from: cut });
    expect(before.purchases + after.purchases).toBe(PURCHASES);
    const differences = { before: before.points.total.difference, after: after.points.total.difference };
    expect(differences).toEqual({ before: '0', after: '0' });
    expect(BigInt(before.points.total.now) + BigInt(after.points.total.now)).toBe(
      BigInt(whole.points.total.now),
    );
    // Earlier events have used up the limit, which also applies to a draft that takes effect later.
    const counted = await simulate({ ...published, earn: { rules: [rule('base')] } }, { from: cut });
    expect(counted.members.withPoints).toBeLessThanOrEqual(MEMBERS.length);
    expect(counted.sources.find(({ kind }) => kind === 'member_limit')?.draft).not.toBe('0');
  });

  test('may be on the clock of the events', async () => {
    const firstPinned = await counter.value<Date>(
      'select min(occurred_at) from transactions where environment_id = $1',
      [shop.id],
    );
    const hour = { from: firstPinned, to: new Date(firstPinned.getTime() + 1) };
    expect((await simulate(published, hour)).purchases).toBe(0);
    expect((await simulate(published, { ...hour, clock: 'event' })).purchases).toBe(1);
    expect((await simulate(published, { to: firstPinned, clock: 'event' })).purchases).toBe(0);
    const all = await simulate(published, { clock: 'event' });
    expect(all.purchases).toBe(PURCHASES);
    expect(all.refused).toEqual([]);
    // An imported history is older than every version, so the first version applies to it.
    await shop.publish(published, new Date());
    await counter.database.adminPool.query(
      'delete from program_versions where environment_id = $1 and version = 1',
      [shop.id],
    );
    const from = new Date(Date.now() - 3 * 86_400_000);
    const later = await simulate(published, { clock: 'event', from });
    expect(later.refused).toEqual([]);
    expect(later.purchases).toBeLessThan(PURCHASES);
    const told = (await simulate(published, { clock: 'event' })).months;
    expect(BigInt(later.points.total.draft)).toBeLessThan(
      told.reduce((sum, { draft }) => sum + BigInt(draft), 0n),
    );
  });
});

test('a simulation cannot write', async () => {
  const { rows: tables } = await counter.database.adminPool.query<{ name: string }>(
    `select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  const trace = () =>
    Promise.all(
      tables.map(async ({ name }) => [
        name,
        await counter.value(
          `select concat(count(*), ' ', max(xmin::text::bigint), ' ', max(xmax::text::bigint)) from "${name}"`,
        ),
      ]),
    );
  const before = await trace();
  expect(before.length).toBeGreaterThan(20);
  await simulate(program({ tiers: published.tiers }));
  expect(await trace()).toEqual(before);
  const client = await counter.database.adminPool.connect();
  try {
    const attempt = simulateProgram(
      {
        query: ((text: string, values?: unknown[]) =>
          text.startsWith('begin')
            ? client.query(text).then(() => client.query("update members set display_name = 'x'"))
            : client.query(text, values)) as typeof client.query,
      } as typeof client,
      {
        environmentId: shop.id,
        draft: published,
        from: null,
        to: null,
        clock: 'receipt',
        top: 1,
        onProgress: () => undefined,
      },
    );
    await expect(attempt).rejects.toThrow(/read-only transaction/);
    await client.query('rollback');
  } finally {
    client.release();
  }
});
