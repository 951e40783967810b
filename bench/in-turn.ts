import type { Bench, Measured } from './bench.ts';
import type { Figure } from './process-figures.ts';
import type { SeededPlace } from './seed.ts';
import type { Stage } from './stage.ts';

/** A stage and the environment that is measured on it. */
export interface Side {
  stage: Stage;
  bench: Bench;
  /** The environment that is measured. */
  own: SeededPlace;
}

/**
 * Measures two sides alternately: in each round the first, the second twice, and the first again, so that a drift of the
 * machine's speed affects both.
 * @returns for each side the sum of its two measurements of each round
 */
export async function inTurn(
  rounds: number,
  name: string,
  one: Side,
  other: Side,
  measure: (side: Side) => Promise<Measured>,
): Promise<[Measured[], Measured[]]> {
  const [ofOne, ofOther]: [Measured[], Measured[]] = [[], []];
  for (let round = 1; round <= rounds; round++) {
    process.stderr.write(`  ${name}: round ${round} of ${rounds}\n`);
    const first = await measure(one);
    const inside = [await measure(other), await measure(other)] as const;
    ofOne.push(together(first, await measure(one)));
    ofOther.push(together(...inside));
  }
  return [ofOne, ofOther];
}

function together(one: Measured, other: Measured): Measured {
  const sum = (a: Figure, b: Figure): Figure => (a === null || b === null ? null : a + b);
  return {
    ...one,
    requests: one.requests + other.requests,
    seconds: one.seconds + other.seconds,
    cpu: {
      load: sum(one.cpu.load, other.cpu.load),
      server: sum(one.cpu.server, other.cpu.server),
      postgres: sum(one.cpu.postgres, other.cpu.postgres),
    },
  };
}
