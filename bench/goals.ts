/** What a figure has to reach. */
export type Goal = { atLeast: number } | { atMost: number };

/** How often something is measured. */
export interface Rounds {
  /** At first. */
  rounds: number;
  /** The most, where rounds contradict each other. */
  mostRounds: number;
}

/** `undecided`: after the most rounds neither verdict leads by enough. */
export interface Judgement {
  verdict: 'met' | 'missed' | 'undecided';
  /** How many of the rounds met the goal. */
  met: number;
  of: number;
}

export function meets(value: number, goal: Goal): boolean {
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
}

/** @param figure how numbers are shown */
export function describeGoal(goal: Goal, figure: (value: number) => string = String): string {
  return 'atLeast' in goal ? `at least ${figure(goal.atLeast)}` : `at most ${figure(goal.atMost)}`;
}

/**
 * Judges the figures of the rounds so far. A verdict stands where it leads the other one by as many rounds as were
 * planned at first: by three, that is 3 : 0, 4 : 1, 5 : 2 and so on. With less of a lead, chance alone may have
 * decided.
 */
export function judge(values: readonly number[], goal: Goal, { rounds }: Rounds): Judgement {
  const met = values.filter((value) => meets(value, goal)).length;
  const lead = 2 * met - values.length;
  const verdict = Math.abs(lead) < rounds ? 'undecided' : lead > 0 ? 'met' : 'missed';
  return { verdict, met, of: values.length };
}

/** Whether another round is due. @param goal null where nothing is judged: only the planned rounds are measured */
export function needsRound(values: readonly number[], goal: Goal | null, rounds: Rounds): boolean {
  if (values.length < rounds.rounds) return true;
  if (goal === null || values.length >= rounds.mostRounds) return false;
  return judge(values, goal, rounds).verdict === 'undecided';
}

/** The median; of an even number of values the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  const high = sorted[Math.floor(middle)] ?? Number.NaN;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? Number.NaN) + high) / 2;
}
