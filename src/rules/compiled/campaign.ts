import type { Campaign, CampaignCaps } from '../../programs/document/campaign-document.ts';
import { compileSchedule } from '../calendar/schedule.ts';
import { type CompiledAudiences, compileTargets } from '../conditions/audiences.ts';
import type { EvaluationFacts } from '../conditions/evaluation-facts.ts';
import { compileMatch } from '../conditions/match.ts';
import { type Bonus, compileBonus } from './bonus.ts';
import { type CompiledLines, compileLines } from './lines.ts';

/** A campaign, compiled for evaluation. */
export interface CompiledCampaign {
  id: string;
  stacking: NonNullable<Campaign['stacking']>;
  caps: CampaignCaps | null;
  /** Whether it is withheld from some members. */
  hasHoldout: boolean;
  /** @returns null where schedule, audiences and conditions match, else the reason why not. */
  whyNot(facts: EvaluationFacts): string | null;
  /** The lines that it works on; null for the whole purchase. */
  lines: CompiledLines | null;
  /** Whether its points come from base points. */
  multiplies: boolean;
  /** Before its caps. */
  bonus: Bonus;
}

/**
 * Compiles the campaigns of a checked document, in the order in which they are evaluated: higher priority first; of
 * equal ones, the smaller id (compared by code units, so that the order does not depend on a locale).
 */
export function compileCampaigns(
  campaigns: readonly Campaign[] | undefined,
  audiences: CompiledAudiences,
  timeZone: string,
): readonly CompiledCampaign[] {
  return [...(campaigns ?? [])]
    .sort((a, b) => (b.priority ?? 0) - (a.priority ?? 0) || (a.id < b.id ? -1 : 1))
    .map((campaign) => compileCampaign(campaign, audiences, timeZone));
}

function compileCampaign(
  campaign: Campaign,
  audiences: CompiledAudiences,
  timeZone: string,
): CompiledCampaign {
  const whyClosed = compileSchedule(campaign.schedule, timeZone);
  const whyNotFor = compileTargets(campaign.audiences, audiences);
  const whyNot = compileMatch(campaign);
  return {
    id: campaign.id,
    stacking: campaign.stacking ?? 'stack',
    caps: campaign.caps ?? null,
    hasHoldout: campaign.holdout !== undefined,
    whyNot: (facts) => whyClosed(facts.at) ?? whyNotFor(facts) ?? whyNot(facts),
    lines: compileLines(campaign.lines),
    multiplies: 'multiplier' in campaign.award,
    bonus: compileBonus(campaign.award),
  };
}
