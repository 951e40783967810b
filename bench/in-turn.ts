import { type Goal, needsRound, type Rounds } from './goals.ts';

/** Something that is measured, alone or right after what it is compared with. */
export interface Pair<T> {
  id: string;
  /** Null where a figure stands for itself. */
  base: (() => Promise<T>) | null;
  /** @param base what has just been measured; null where there is none */
  measured: (base: T | null) => Promise<T>;
  /** The figure of a round, such as a ratio. */
  figure: (measured: T, base: T | null) => number;
  goal: Goal | null;
}

/** The measurements of a pair, one of each a round. */
export interface InTurn<T> {
  /** Empty where there is no base. */
  base: T[];
  measured: T[];
  figures: number[];
}

/**
 * Measures base and measured by turns, A B A B …, so that each figure is of two measurements of which one follows the
 * other directly: the machine's speed drifts. Where the rounds contradict each other about the goal, further ones are
 * made.
 * @param tell says which round begins
 */
export async function inTurn<T>(
  pair: Pair<T>,
  rounds: Rounds,
  tell: (line: string) => void = tellTerminal,
): Promise<InTurn<T>> {
  const made: InTurn<T> = { base: [], measured: [], figures: [] };
  while (needsRound(made.figures, pair.goal, rounds)) {
    const round = made.figures.length + 1;
    const further = `, at most ${rounds.mostRounds}, since rounds contradict each other`;
    tell(`${pair.id}: round ${round}${round > rounds.rounds ? further : ` of ${rounds.rounds}`}`);
    const base = pair.base && (await pair.base());
    const measured = await pair.measured(base);
    if (base !== null) made.base.push(base);
    made.measured.push(measured);
    made.figures.push(pair.figure(measured, base));
  }
  return made;
}

function tellTerminal(line: string): void {
  process.stderr.write(`  ${line}\n`);
}
