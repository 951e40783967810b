import type { Campaign, CodePool, Holdout } from '../../programs/document/campaign-document.ts';
import type { Condition } from '../../programs/document/document-values.ts';
import type { ProgramDocument, Tier } from '../../programs/document/program-document.ts';
import { type Clock, createClock } from '../calendar/local-time.ts';
import { type CompiledAudiences, compileAudiences } from '../conditions/audiences.ts';
import { type CompiledCampaign, compileCampaigns } from './campaign.ts';
import { type CompiledCoupon, compileCoupons } from './coupons.ts';
import { type CompiledEarnRule, compileEarnRule } from './earn-rule.ts';
import { compilePurchaseSteps, type PurchaseSteps } from './purchase-steps.ts';
import { type CompiledReward, compileReward } from './reward.ts';

/** What is computed once from a document, and not again for each purchase. */
export interface CompiledProgram {
  rules: readonly CompiledEarnRule[];
  tierOf: ReadonlyMap<string, Tier>;
  clock: Clock;
  rewardOf: ReadonlyMap<string, CompiledReward>;
  audiences: CompiledAudiences;
  /** In order of priority. */
  campaigns: readonly CompiledCampaign[];
  /** The campaigns of the document that are withheld from some members. */
  campaignsWithHoldout: readonly (Campaign & { holdout: Holdout })[];
  /** By code. */
  coupons: ReadonlyMap<string, CompiledCoupon>;
  /** Of the coupons that have one. */
  pools: readonly CodePool[];
  /** What a purchase takes at most. */
  steps: PurchaseSteps;
  /** Whether any earn rule or campaign works on lines. */
  byLine: boolean;
  /** Whether earning reads the member's history, tags or lists: only then are they stored as evidence. */
  looksAtMember: boolean;
}

const compiled = new WeakMap<ProgramDocument, CompiledProgram>();

/** Compiles a checked document; the same object is compiled once, and must not be changed afterwards. */
export function compileProgram(document: ProgramDocument): CompiledProgram {
  let program = compiled.get(document);
  if (!program) {
    const timeZone = document.timeZone ?? 'UTC';
    const audiences = compileAudiences(document.audiences);
    program = {
      rules: document.earn.rules.map(compileEarnRule),
      tierOf: new Map(document.tiers.map((tier) => [tier.id, tier])),
      clock: createClock(timeZone),
      rewardOf: new Map((document.rewards ?? []).map((reward) => [reward.id, compileReward(reward)])),
      audiences,
      campaigns: compileCampaigns(document.campaigns, audiences, timeZone),
      campaignsWithHoldout: (document.campaigns ?? []).flatMap((campaign) => {
        const { holdout } = campaign;
        return holdout ? [{ ...campaign, holdout }] : [];
      }),
      coupons: compileCoupons(document.coupons, audiences, timeZone),
      pools: (document.coupons ?? []).flatMap(({ pool }) => pool ?? []),
      steps: compilePurchaseSteps(document),
      byLine: [...document.earn.rules, ...(document.campaigns ?? [])].some(
        ({ lines }) => lines !== undefined,
      ),
      looksAtMember: looksAtMember(document),
    };
    compiled.set(document, program);
  }
  return program;
}

function looksAtMember({ earn, campaigns = [], audiences = [] }: ProgramDocument): boolean {
  const conditions: Condition[] = [...earn.rules, ...campaigns, ...audiences].flatMap(
    (section) => section.conditions,
  );
  return conditions.some(({ field }) => field.startsWith('history.') || field.startsWith('member.'));
}
