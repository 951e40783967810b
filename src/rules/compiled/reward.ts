import type { Reward } from '../../programs/document/program-document.ts';
import type { EvaluationFacts } from '../conditions/evaluation-facts.ts';
import { compileMatch } from '../conditions/match.ts';

/** A reward, compiled for evaluation. */
export interface CompiledReward {
  reward: Reward;
  /** @returns null where the member may have it, else the reason why not. */
  whyNotEligible(facts: EvaluationFacts): string | null;
}

/** Compiles a reward of a checked document. */
export function compileReward(reward: Reward): CompiledReward {
  return {
    reward,
    whyNotEligible: reward.eligibility ? compileMatch(reward.eligibility) : () => null,
  };
}
