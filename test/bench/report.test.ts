import { describe, expect, test } from '@jest/globals';
import { type Comparison, fairness } from '../../bench/comparison.ts';
import { describeConditions } from '../../bench/conditions.ts';
import { durationOf } from '../../bench/duration.ts';
import { DELIVERY_PARTS } from '../../bench/options.ts';
import { GROUPS, RATE_COMPARISONS, type RateComparison } from '../../bench/rate-comparisons.ts';
import { describeVerdict, renderComparisons } from '../../bench/report.ts';

const comparison: Comparison = {
  id: 'b',
  title: 'POST /api/v1/events',
  unit: 'per second',
  conditions: '64 HTTP | 8 of Postgres',
  measured: [2_400, 2_500, 2_600],
  against: { name: 'a', values: [2_000, 2_000, 2_000] },
  ratios: [1.2, 1.25, 1.3],
  goal: { atLeast: 1 },
  rounds: { rounds: 3, mostRounds: 9 },
  latencyMs: [20, 30, 40],
  cpu: '30 + 300 + 300',
};

describe('the line of a target', () => {
  test('says verdict, ratio with its spread, rounds and conditions', () => {
    expect(describeVerdict(comparison)).toBe(
      '  b     met       at least 1.0 × a: 1.25 (1.20 to 1.30), met in 3 of 3 rounds; 64 HTTP | 8 of Postgres',
    );
  });

  test('says how many rounds more than planned were measured', () => {
    expect(describeVerdict({ ...comparison, ratios: [0.9, 1.1, 0.9, 0.9, 0.9] })).toContain(
      'MISSED    at least 1.0 × a: 0.90 (0.90 to 1.10), met in 1 of 5 rounds, 2 more than planned',
    );
  });

  test('says where chance may have decided', () => {
    const ratios = [0.9, 1.1, 0.9, 1.1, 0.9, 1.1, 0.9, 1.1, 1.1];
    expect(describeVerdict({ ...comparison, ratios })).toContain('UNDECIDED at least 1.0 × a: 1.10');
  });

  test('is of the rate where there is nothing to compare with, and missing without a target', () => {
    const alone = { ...comparison, against: null, ratios: [], goal: { atLeast: 2_450 } };
    expect(describeVerdict(alone)).toContain('UNDECIDED at least 2,450 per second: 2,500 (2,400 to 2,600)');
    expect(describeVerdict({ ...comparison, goal: null })).toBeNull();
  });
});

test('the table has rates, bases, ratios and latencies', () => {
  const text = renderComparisons([comparison]);
  for (const shown of [
    '2,500',
    'a: 2,000',
    '1.25 (1.20 to 1.30)',
    '1.20 1.25 1.30',
    '20.0',
    '30.0',
    '40.0',
  ]) {
    expect(text).toContain(shown);
  }
});

test('the share of the slowest environment is taken within each round', () => {
  const round = (...requests: number[]) => ({
    byPlace: requests.map((each) => ({ requests: each, points: 0 })),
  });
  expect(fairness([round(100, 80, 90), round(50, 100), round(10, 10)])).toBe(0.8);
});

describe('the conditions', () => {
  const quiet = { cores: 2, processor: 'A processor', memoryGiB: 24, node: '24.9.0', loadAverage: 0.3 };

  test('are said in a line', () => {
    expect(describeConditions(quiet, ['Postgres 18.4'])).toBe(
      'Conditions: 2 cores (A processor), 24 GiB, Node 24.9.0, Postgres 18.4, load average 0.30 at the start.',
    );
  });

  test('have a warning where the machine had other work', () => {
    expect(describeConditions({ ...quiet, loadAverage: 1.5 }, [])).toContain(
      'WARNING: the machine had other work',
    );
  });
});

describe('how long it takes', () => {
  const pair: RateComparison = {
    id: 'b',
    title: '',
    measured: 'b',
    against: 'a',
    connections: 'best',
    goal: { atLeast: 1 },
  };
  const options = { seconds: 4.7, rounds: 3, mostRounds: 9 };

  test('two sides a round, a warm-up for each side, and the most rounds only with a goal', () => {
    // 5 s for a measurement with the pause after it, 3 s for a warm-up.
    expect(durationOf([pair], options, 2.7).least).toBeCloseTo(36);
    expect(durationOf([pair], options, 2.7).most).toBeCloseTo(96);
    expect(durationOf([{ ...pair, goal: null }], options, 2.7).most).toBeCloseTo(36);
  });

  test('all of it takes less than half an hour, whatever the verdicts', () => {
    const { least, most } = durationOf(RATE_COMPARISONS, { seconds: 4, rounds: 3, mostRounds: 9 }, 3);
    expect(least / 60).toBeLessThan(15);
    expect(most / 60).toBeLessThan(26);
  });
});

test('groups name comparisons that exist', () => {
  const ids = RATE_COMPARISONS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids, ...DELIVERY_PARTS]).toEqual(expect.arrayContaining(Object.values(GROUPS).flat()));
});
