import type { ProgramDocument, Tier } from '../programs/program-document.ts';
import { type CompiledEarnRule, compileEarnRule } from './earn-rule.ts';
import { type Clock, createClock } from './local-time.ts';
import { type CompiledReward, compileReward } from './reward.ts';

/** What of a document is worked out once, and not for each purchase. */
export interface CompiledProgram {
  rules: readonly CompiledEarnRule[];
  tierOf: ReadonlyMap<string, Tier>;
  clock: Clock;
  rewardOf: ReadonlyMap<string, CompiledReward>;
}

const compiled = new WeakMap<ProgramDocument, CompiledProgram>();

/** Compiles a checked document; the same object is compiled once, and must not be changed afterwards. */
export function compileProgram(document: ProgramDocument): CompiledProgram {
  let program = compiled.get(document);
  if (!program) {
    program = {
      rules: document.earn.rules.map(compileEarnRule),
      tierOf: new Map(document.tiers.map((tier) => [tier.id, tier])),
      clock: createClock(document.timeZone ?? 'UTC'),
      rewardOf: new Map((document.rewards ?? []).map((reward) => [reward.id, compileReward(reward)])),
    };
    compiled.set(document, program);
  }
  return program;
}
