import { describe, expect, test } from '@jest/globals';
import type { ProgramDocument } from '../../src/programs/document/program-document.ts';
import type { PurchaseReceipt } from '../../src/queries/transactions/recorded-award.ts';
import type { OpenPoints, Remaining } from '../../src/what-if/open-points.ts';
import { makeReport, type ReportInput, type SimulationReport } from '../../src/what-if/report.ts';
import type { Simulation } from '../../src/what-if/simulation.ts';
import { Tally } from '../../src/what-if/tally.ts';
import { assumption, money, percentOf } from '../../src/what-if/words.ts';
import { noon, program, tier } from '../support/rules/fixtures.ts';

const nothing: Remaining = { unexpired: 0n, pending: 0n, expired: 0n };
const allOpen: OpenPoints = { ...nothing, alive: { granted: 0n, open: 0n } };

interface Given {
  tally?: Tally;
  remaining?: Remaining;
  open?: OpenPoints;
  top?: number;
  draft?: ProgramDocument;
  published?: ProgramDocument;
}

function report(given: Given = {}): Promise<SimulationReport> {
  const { tally = new Tally(), remaining = nothing, draft = program(), published = program() } = given;
  const simulation = { tally, remaining: () => remaining } as unknown as Simulation;
  const version = { version: 1, effectiveFrom: new Date(0), publishedAt: new Date(0), document: published };
  const input: ReportInput = {
    environmentId: '01920000-0000-7000-8000-000000000000',
    draft,
    published: { programId: 'coffee-club', versions: [version] },
    clock: 'receipt',
    from: null,
    to: noon,
    top: given.top ?? 2,
    simulation,
    open: given.open ?? allOpen,
  };
  return makeReport(input, async (ids) => new Map(ids.map((id) => [id, `customer ${id}`])));
}

/** Members with what they got and would get. */
function members(...points: [now: number, draft: number][]): Tally {
  const tally = new Tally();
  points.forEach(([now, draft], index) => {
    tally.referral('now', noon, `m${index}`, now);
    tally.referral('draft', noon, `m${index}`, draft);
  });
  return tally;
}

describe('members by how much they would win or lose', () => {
  test.each([
    [100, 96, 'below -3 %'],
    [100, 97, '-3 to -2 %'],
    [100, 98, '-2 to -1 %'],
    [1000, 981, '-2 to -1 %'],
    [100, 99, '-1 to 0 %'],
    [1000, 999, '-1 to 0 %'],
    [100, 100, 'the same'],
    [0, 0, 'the same'],
    [1000, 1001, '0 to +1 %'],
    [100, 101, '0 to +1 %'],
    [1000, 1011, '+1 to +2 %'],
    [100, 102, '+1 to +2 %'],
    [100, 103, '+2 to +3 %'],
    [100, 104, 'over +3 %'],
    [0, 1, 'over +3 %'],
  ])('%d that become %d are %s, where most change little', async (now, draft, label) => {
    const others = Array.from({ length: 20 }, (): [number, number] => [1000, 1005]);
    const { bands } = (await report({ tally: members(...others, [now, draft]) })).members;
    const without = (await report({ tally: members(...others) })).members.bands;
    expect(bands.filter((band, index) => band.members > (without[index]?.members ?? 0))).toEqual([
      { label, members: label === '0 to +1 %' ? 21 : 1 },
    ]);
    expect(bands.reduce((sum, band) => sum + band.members, 0)).toBe(21);
  });

  test.each([
    [101, '1'],
    [104, '2'],
    [115, '5'],
    [116, '10'],
    [160, '20'],
    [161, '30'],
    [500, '30'],
  ])('the bands are as wide as the changes need: 100 that become %d, %s %%', async (draft, width) => {
    const { bands } = (await report({ tally: members([100, draft]) })).members;
    expect(bands.map(({ label }) => label)[5]).toBe(`0 to +${width} %`);
    expect(bands).toHaveLength(9);
  });

  test('names those who win and lose most, the most first, and no one twice', async () => {
    const tally = members([10, 15], [10, 40], [10, 3], [10, 0], [10, 10], [10, 9], [10, 11]);
    const { topWinners, topLosers, ...rest } = (await report({ tally })).members;
    const short = (movers: typeof topWinners) =>
      movers.map(({ externalCustomerId, difference }) => [externalCustomerId, difference]);
    expect(short(topWinners)).toEqual([
      ['customer m1', 30],
      ['customer m0', 5],
    ]);
    expect(short(topLosers)).toEqual([
      ['customer m3', -10],
      ['customer m2', -7],
    ]);
    expect(rest).toMatchObject({
      withPoints: 7,
      better: { members: 3, points: '36' },
      worse: { members: 3, points: '-18' },
      same: 1,
    });
  });

  test('of one who wins and one who loses, each is on one side', async () => {
    const { topWinners, topLosers } = (await report({ tally: members([10, 12], [10, 9]), top: 5 })).members;
    expect([topWinners, topLosers].map((movers) => movers.map(({ difference }) => difference))).toEqual([
      [2],
      [-1],
    ]);
  });
});

describe('liability', () => {
  const open: OpenPoints = {
    unexpired: 1_000n,
    pending: 10n,
    expired: 5n,
    alive: { granted: 800n, open: 201n },
  };
  const remaining: Remaining = { unexpired: 2_001n, pending: 30n, expired: 7n };
  const valued = (numerator: number, denominator: number): ProgramDocument =>
    program({ finance: { valuation: { amountMinor: { numerator, denominator } } } });

  test('holds both sides to the share that is still on the books', async () => {
    const { liability } = await report({ open, remaining });
    expect(liability).toMatchObject({
      // 1000 and 2001 × 201 ÷ 800 are 251.25 and 502.75.
      open: { now: '251', draft: '503', difference: '252' },
      openShare: { numerator: '201', denominator: '800' },
      expired: { now: '5', draft: '7', difference: '2' },
      pending: { now: '10', draft: '30', difference: '20' },
      amountMinor: null,
    });
  });

  test('counts all as open where nothing lives on', async () => {
    const { liability } = await report({ open: { ...open, alive: { granted: 0n, open: 0n } }, remaining });
    expect(liability.open).toMatchObject({ now: '1000', draft: '2001' });
  });

  test.each<[string, ProgramDocument, ProgramDocument, [string, string] | null]>([
    ['by what each document says', valued(1, 2), valued(2, 1), ['126', '1006']],
    ['by the published one’s where the draft says nothing', valued(1, 2), program(), ['126', '252']],
    ['by the draft’s where nothing was said', program(), valued(2, 1), ['502', '1006']],
    ['not at all where none says anything', program(), program(), null],
  ])('is valued %s', async (_what, published, draft, worth) => {
    const { amountMinor } = (await report({ open, remaining, published, draft })).liability;
    expect(amountMinor && [amountMinor.now, amountMinor.draft]).toEqual(worth);
  });
});

test('purchases are added up by tier, by source and by month of their year', async () => {
  const tally = new Tally();
  const receipt = {
    award: { points: 125, basePoints: 125, campaignPoints: 0 },
    ruleDecisions: [
      { kind: 'earn_rule', id: 'base', matched: true, reason: null, points: 100 },
      { kind: 'earn_rule', id: 'other', matched: false, reason: 'no', points: 0 },
      { kind: 'tier', id: 'silver', matched: true, reason: null, points: 25 },
      { kind: 'referral', id: 'ABC', matched: true, reason: 'yes', points: 0 },
    ],
  } as unknown as PurchaseReceipt;
  tally.purchase('now', new Date('2026-01-31T23:59:59Z'), 'm', receipt);
  tally.purchase('draft', new Date('2027-01-01T00:00:00Z'), 'm', receipt);
  const {
    tiers,
    sources,
    months,
    members: found,
  } = await report({
    tally,
    draft: program({ tiers: [tier('bronze', 0, 1), tier('silver', 10, 5, 4)] }),
  });
  expect(tiers).toEqual([
    { id: 'silver', name: 'silver', now: '125', draft: '125', difference: '0', countNow: 1, countDraft: 1 },
  ]);
  expect(sources.map(({ kind, id, now }) => [kind, id, now])).toEqual([
    ['earn_rule', 'base', '100'],
    ['tier', 'silver', '25'],
  ]);
  expect(months.map(({ id, now, draft }) => [id, now, draft])).toEqual([
    ['2026-01', '125', '0'],
    ['2027-01', '0', '125'],
  ]);
  expect(found.withPoints).toBe(1);
});

test('percentages are rounded, a half up, and negative money keeps its places', () => {
  const change = (now: number, difference: number) => ({ now: `${now}`, difference: `${difference}` });
  expect({
    '2 of 3': percentOf(change(3, 2)),
    '1 of 2000': percentOf(change(2_000, 1)),
    '-2 of 3': percentOf(change(3, -2)),
  }).toEqual({ '2 of 3': '+66.7 %', '1 of 2000': '+0.1 %', '-2 of 3': '-66.7 %' });
  expect({ '-5': money('-5', 2, 'USD'), '-100': money('-100', 2, 'USD') }).toEqual({
    '-5': '-0.05 USD',
    '-100': '-1.00 USD',
  });
  const share = { numerator: '2', denominator: '3' };
  expect(assumption({ openShare: share } as SimulationReport['liability'])).toContain(' 66.7 % are still');
});
