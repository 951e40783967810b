import { expect, test } from '@jest/globals';
import { documentOf, inventProgram } from '../../../simulator/programs/program.ts';
import { Random } from '../../../simulator/random.ts';
import { parseProgram } from '../../../src/programs/parse/parse-program.ts';

test.each([0, 100_000])('every invented program could be published (least limit %d)', (leastLimit) => {
  const random = new Random(Date.now() % 2 ** 32);
  for (let run = 0; run < 60; run++) {
    const now = new Date(Date.UTC(2027, 0, 1) + random.next());
    const program = inventProgram(random, {
      id: 'coffee',
      precision: random.pick([0, 2]),
      now,
      leastLimit,
    });
    const parsed = parseProgram(JSON.stringify(documentOf(program)));
    expect(parsed.ok ? [] : parsed.problems).toEqual([]);
  }
});
