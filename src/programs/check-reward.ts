import { checkCondition } from './check-condition.ts';
import { type DocumentProblem, under } from './document-problem.ts';
import type { Eligibility, Reward } from './program-document.ts';

/**
 * Checks what the JSON Schema cannot say of a reward.
 * @param tierIds of the document
 * @returns problems with paths that begin at the reward
 */
export function checkReward(reward: Reward, tierIds: ReadonlySet<string>): DocumentProblem[] {
  const { eligibility, availableFrom, availableUntil } = reward;
  const problems = eligibility ? under(['eligibility'], checkEligibility(eligibility, tierIds)) : [];
  if (availableFrom && availableUntil && Date.parse(availableUntil) <= Date.parse(availableFrom)) {
    problems.push({ path: ['availableUntil'], message: 'must be later than availableFrom' });
  }
  return problems;
}

function checkEligibility(
  { match, conditions }: Eligibility,
  tierIds: ReadonlySet<string>,
): DocumentProblem[] {
  if (match === 'any' && conditions.length === 0) {
    return [
      {
        path: ['conditions'],
        message: 'match any needs a condition; without any nobody may have the reward',
      },
    ];
  }
  return conditions.flatMap((condition, index) =>
    under(['conditions', index], checkCondition(condition, 'reward', tierIds)),
  );
}
