import type { ModelProfile } from './model.ts';
import type { PlainProgram } from './plain-program.ts';

type Standing = Pick<ModelProfile, 'tier' | 'qualificationPoints' | 'countedSinceYear'>;

/** The highest tier that the points reach. */
export function tierReached(program: PlainProgram, points: number): string {
  let reached = '';
  for (const tier of program.tiers) if (points >= tier.threshold) reached = tier.id;
  return reached;
}

/** The model's account of qualification: year after year, the tier is what the year before earned. */
export function standingNow(program: PlainProgram, standing: Standing, now: Date): Standing {
  let { tier, qualificationPoints, countedSinceYear } = standing;
  const year = now.getUTCFullYear();
  if (program.countsBy === 'lifetime') countedSinceYear = null;
  else if (countedSinceYear === null) countedSinceYear = year;
  while (countedSinceYear !== null && countedSinceYear < year) {
    tier = tierReached(program, qualificationPoints);
    qualificationPoints = 0;
    countedSinceYear += 1;
  }
  const known = program.tiers.some((candidate) => candidate.id === tier);
  return {
    tier: known ? tier : tierReached(program, qualificationPoints),
    qualificationPoints,
    countedSinceYear,
  };
}

/** The standing after points of an event of that time. */
export function standingWith(program: PlainProgram, standing: Standing, points: number, at: Date): Standing {
  const { tier, countedSinceYear } = standing;
  if (countedSinceYear !== null && at.getUTCFullYear() < countedSinceYear) return standing;
  const qualificationPoints = standing.qualificationPoints + points;
  const order = program.tiers.map((candidate) => candidate.id);
  const reached = tierReached(program, qualificationPoints);
  return {
    tier: order.indexOf(reached) > order.indexOf(tier) ? reached : tier,
    qualificationPoints,
    countedSinceYear,
  };
}
