import type { CampaignCaps } from '../../programs/document/campaign-document.ts';
import type { CompiledCampaign } from '../compiled/campaign.ts';
import type { EvaluationFacts } from '../conditions/evaluation-facts.ts';
import type { RuleDecision } from '../shared/rule-decision.ts';
import { periodInWords } from './member-limit.ts';

/** Points that a campaign has given before, in the smallest loyalty unit. */
export interface CapUse {
  /** To all members together. */
  total: number;
  /** To this member. */
  member: number;
  /** To this member in the present period of `memberPeriod`. */
  memberPeriod: number;
}

/** By campaign id; a campaign that is missing has given nothing. */
export type CapsUsed = ReadonlyMap<string, CapUse>;

/** What a campaign gives to a purchase. */
export interface CampaignPoints {
  campaignId: string;
  points: number;
}

/** A campaign that has been asked, before it is known what becomes of the others. */
interface Asked {
  campaign: CompiledCampaign;
  whyNot: string | null;
  /** Before its caps, and after them. */
  raw: number;
  given: number;
  caps: RuleDecision[];
}

const unused: CapUse = { total: 0, member: 0, memberPeriod: 0 };

/**
 * What campaigns give on top of base points. Each is asked in order; what it would give is held to its caps; then they
 * are laid on top of each other as their `stacking` says. A campaign that gives nothing, because its caps are used up
 * or because there is nothing to multiply, stands in no other's way.
 * @param campaigns in order
 * @param decisions get one for each campaign and, where it applies, one for each of its caps
 * @returns those that give something, in order
 */
export function evaluateCampaigns(
  campaigns: readonly CompiledCampaign[],
  facts: EvaluationFacts,
  basePoints: number,
  used: CapsUsed,
  decisions: RuleDecision[],
): CampaignPoints[] {
  if (campaigns.length === 0) return [];
  const asked = campaigns.map((campaign) => ask(campaign, facts, basePoints, used));
  const best = bestOf(asked);
  const given: CampaignPoints[] = [];
  let exclusive: string | null = null;
  for (const one of asked) {
    const { id, stacking } = one.campaign;
    const whyNot = one.whyNot ?? whyNotBeside(one, best, given[0]?.campaignId ?? null, exclusive);
    const matched = whyNot === null;
    decisions.push({ kind: 'campaign', id, matched, reason: whyNot, points: matched ? one.raw : 0 });
    if (!matched) continue;
    decisions.push(...one.caps);
    if (one.given === 0) continue;
    given.push({ campaignId: id, points: one.given });
    if (stacking === 'exclusive') exclusive = id;
  }
  return given;
}

function ask(campaign: CompiledCampaign, facts: EvaluationFacts, basePoints: number, used: CapsUsed): Asked {
  const whyNot = campaign.whyNot(facts);
  if (whyNot !== null) return { campaign, whyNot, raw: 0, given: 0, caps: [] };
  const raw = campaign.bonus(basePoints);
  const caps: RuleDecision[] = [];
  const given = campaign.caps
    ? heldTo(campaign.caps, campaign.id, raw, used.get(campaign.id) ?? unused, caps)
    : raw;
  return { campaign, whyNot, raw, given, caps };
}

/** Of the campaigns that compete the one that gives most; of equals, the first. Null where none gives anything. */
function bestOf(asked: readonly Asked[]): Asked | null {
  let best: Asked | null = null;
  for (const one of asked) {
    if (one.campaign.stacking === 'best' && one.given > (best?.given ?? 0)) best = one;
  }
  return best;
}

/** Why a campaign that holds does not apply beside the others, or null. */
function whyNotBeside(
  { campaign }: Asked,
  best: Asked | null,
  before: string | null,
  exclusive: string | null,
): string | null {
  if (exclusive !== null) return `Campaign ${JSON.stringify(exclusive)} is exclusive.`;
  if (campaign.stacking === 'exclusive' && before !== null) {
    return `It is exclusive, and campaign ${JSON.stringify(before)} comes before it.`;
  }
  if (campaign.stacking === 'best' && best !== null && best.campaign !== campaign) {
    return `Campaign ${JSON.stringify(best.campaign.id)} gives more, or as much and comes first.`;
  }
  return null;
}

/** Holds points to caps, one after the other. @returns what is left of them */
function heldTo(
  { totalPoints, memberPoints, memberPeriod }: CampaignCaps,
  id: string,
  points: number,
  use: CapUse,
  decisions: RuleDecision[],
): number {
  let left = points;
  const hold = (name: string, cap: number, taken: number, whose: string): void => {
    // A cap lowered by a new version may be overdrawn already: nothing is left then, and nothing is taken back.
    const after = Math.min(left, Math.max(0, cap - taken));
    const reason =
      after < left
        ? `${taken} of ${cap} points ${whose} were given: ${left} became ${after}.`
        : 'Within the cap.';
    decisions.push({
      kind: 'campaign_cap',
      id: `${id}.${name}`,
      matched: after < left,
      reason,
      points: after - left,
    });
    left = after;
  };
  if (totalPoints !== undefined) hold('total', totalPoints, use.total, 'of all members');
  if (memberPoints !== undefined) hold('member', memberPoints, use.member, 'of the member');
  if (memberPeriod) {
    const { period, points: cap } = memberPeriod;
    hold(`member_${period}`, cap, use.memberPeriod, `of the member ${periodInWords[period]}`);
  }
  return left;
}
