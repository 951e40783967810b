import { type DocumentProblem, under } from '../document/document-problem.ts';
import type { Reward } from '../document/program-document.ts';
import { checkMatch } from './check-match.ts';

/**
 * Checks what the JSON Schema cannot say of a reward.
 * @param tierIds of the document
 * @returns problems with paths that begin at the reward
 */
export function checkReward(reward: Reward, tierIds: ReadonlySet<string>): DocumentProblem[] {
  const { eligibility, availableFrom, availableUntil } = reward;
  const problems = eligibility
    ? under(['eligibility'], checkMatch(eligibility, 'reward', 'nobody may have the reward', tierIds))
    : [];
  if (availableFrom && availableUntil && Date.parse(availableUntil) <= Date.parse(availableFrom)) {
    problems.push({ path: ['availableUntil'], message: 'must be later than availableFrom' });
  }
  return problems;
}
