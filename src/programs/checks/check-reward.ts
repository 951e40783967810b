import { type DocumentProblem, under } from '../document/document-problem.ts';
import type { PayWithPoints, Reward } from '../document/program-document.ts';
import { checkMatch } from './check-match.ts';
import { checkShare } from './check-share.ts';

/**
 * Checks what the JSON Schema cannot say of a reward.
 * @param tierIds of the document
 * @returns problems with paths that begin at the reward
 */
export function checkReward(reward: Reward, tierIds: ReadonlySet<string>): DocumentProblem[] {
  const { eligibility, availableFrom, availableUntil, payWithPoints } = reward;
  const problems = eligibility
    ? under(['eligibility'], checkMatch(eligibility, 'reward', 'nobody may have the reward', tierIds))
    : [];
  if (availableFrom && availableUntil && Date.parse(availableUntil) <= Date.parse(availableFrom)) {
    problems.push({ path: ['availableUntil'], message: 'must be later than availableFrom' });
  }
  if (payWithPoints) problems.push(...under(['payWithPoints'], checkPayment(payWithPoints)));
  return problems;
}

function checkPayment({
  pointsPerUnit,
  unitMinor,
  step = pointsPerUnit,
  minimumPoints = step,
  maximumPoints,
  maximumShareOfOrder,
}: PayWithPoints): DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  if ((BigInt(step) * BigInt(unitMinor)) % BigInt(pointsPerUnit) !== 0n) {
    const message = `must be worth whole minor units: ${pointsPerUnit} points are worth ${unitMinor}`;
    problems.push({ path: ['step'], message });
  }
  if (minimumPoints % step !== 0) {
    problems.push({ path: ['minimumPoints'], message: `must be a multiple of the step, ${step}` });
  }
  if (maximumPoints !== undefined && maximumPoints % step !== 0) {
    problems.push({ path: ['maximumPoints'], message: `must be a multiple of the step, ${step}` });
  }
  if (maximumPoints !== undefined && maximumPoints < minimumPoints) {
    problems.push({ path: ['maximumPoints'], message: `must be at least the minimum, ${minimumPoints}` });
  }
  if (maximumShareOfOrder) {
    problems.push(...checkShare(maximumShareOfOrder, ['maximumShareOfOrder']));
    if (maximumShareOfOrder.numerator === 0) {
      problems.push({ path: ['maximumShareOfOrder', 'numerator'], message: 'must be at least 1' });
    }
  }
  return problems;
}
