import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { judge, median, needsRound } from '../../bench/goals.ts';
import { inTurn } from '../../bench/in-turn.ts';

const GOAL = { atLeast: 1 };
const ROUNDS = { rounds: 3, mostRounds: 9 };

/** Rounds of which each meets the goal (`y`) or does not (`n`). */
function rounds(text: string): number[] {
  return Array.from(text, (each) => (each === 'y' ? 1.1 : 0.9));
}

describe('verdicts', () => {
  test.each([
    ['yyy', 'met'],
    ['nnn', 'missed'],
    ['yyn', 'undecided'],
    ['yyny', 'undecided'],
    ['yynyy', 'met'],
    ['nynnn', 'missed'],
    ['ynynynyny', 'undecided'],
  ])('%s: %s', (text, verdict) => {
    const values = rounds(text);
    expect(judge(values, GOAL, ROUNDS).verdict).toBe(verdict);
    expect(needsRound(values, GOAL, ROUNDS)).toBe(verdict === 'undecided' && text.length < 9);
  });

  test('a figure exactly at the goal meets it, either way', () => {
    expect(judge([1, 1, 1], { atLeast: 1 }, ROUNDS).verdict).toBe('met');
    expect(judge([1, 1, 1], { atMost: 1 }, ROUNDS).verdict).toBe('met');
  });

  test('rounds go on until a verdict leads by the planned number, and never beyond the bound', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.5, max: 1.5, noNaN: true }), { minLength: 9, maxLength: 9 }),
        fc.integer({ min: 1, max: 4 }),
        (values, planned) => {
          const bounds = { rounds: planned, mostRounds: 9 };
          let made = 0;
          while (needsRound(values.slice(0, made), GOAL, bounds)) made += 1;
          const { verdict, met, of } = judge(values.slice(0, made), GOAL, bounds);
          expect(made).toBeGreaterThanOrEqual(planned);
          expect(made).toBeLessThanOrEqual(9);
          if (verdict === 'undecided') expect(made).toBe(9);
          else expect(Math.abs(met - (of - met))).toBe(planned);
        },
      ),
    );
  });

  test('without a goal, only the planned rounds are made', () => {
    expect(needsRound(rounds('yn'), null, ROUNDS)).toBe(true);
    expect(needsRound(rounds('yny'), null, ROUNDS)).toBe(false);
  });

  test('the median of an even number is between the middle two', () => {
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([3, 1, 2])).toBe(2);
  });
});

describe('measurements by turns', () => {
  test('each measurement follows directly the one that it is compared with', async () => {
    const order: string[] = [];
    const bases = [100, 50, 200];
    const made = await inTurn<number>(
      {
        id: 'pair',
        base: async () => {
          order.push('A');
          return bases.shift() as number;
        },
        measured: async (base) => {
          order.push('B');
          return 2 * (base as number);
        },
        figure: (measured, base) => measured / (base as number),
        goal: GOAL,
      },
      ROUNDS,
      (line) => order.push(line),
    );
    expect(order).toEqual([
      'pair: round 1 of 3',
      'A',
      'B',
      'pair: round 2 of 3',
      'A',
      'B',
      'pair: round 3 of 3',
      'A',
      'B',
    ]);
    expect(made).toEqual({ base: [100, 50, 200], measured: [200, 100, 400], figures: [2, 2, 2] });
  });

  test('rounds that contradict each other are followed by further ones', async () => {
    const values = rounds('ynyyynnnn');
    const alone = {
      id: 'rate',
      base: null,
      measured: async () => values.shift() as number,
      figure: (measured: number) => measured,
      goal: GOAL,
    };
    const told: string[] = [];
    const made = await inTurn<number>(alone, ROUNDS, (line) => told.push(line));
    expect(told.at(-1)).toBe('rate: round 5, at most 9, since rounds contradict each other');
    expect(made.figures).toEqual(rounds('ynyyy'));
    expect(made.base).toEqual([]);
  });
});
