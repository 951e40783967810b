import type { CampaignCaps } from '../../programs/document/campaign-document.ts';
import type { CompiledCampaign } from '../compiled/campaign.ts';
import type { EvaluationFacts } from '../conditions/evaluation-facts.ts';
import { type Chosen, divideOver, sumOfChosen } from '../shared/basket.ts';
import type { RuleDecision } from '../shared/rule-decision.ts';
import { type BasePointsByLine, earnedLines } from './base-points.ts';
import { periodInWords } from './member-limit.ts';

/** Points that a campaign has given before, in the smallest loyalty unit. */
export interface CapUse {
  /** To all members together. */
  total: number;
  /** To this member. */
  member: number;
  /** To this member in the current period of the cap `memberPeriod`. */
  memberPeriod: number;
}

/** By campaign id. A campaign that is missing has given no points. */
export type CapsUsed = ReadonlyMap<string, CapUse>;

/** The points that a campaign gives to a purchase. */
export interface CampaignPoints {
  campaignId: string;
  points: number;
}

/** What a purchase earned before campaigns. */
export interface EarnedBase {
  basePoints: number;
  /** Null where the program does not earn by line. */
  byLine: BasePointsByLine | null;
}

/** A campaign evaluated by itself, before stacking. */
interface EvaluatedCampaign {
  campaign: CompiledCampaign;
  whyNot: string | null;
  /** The lines that it works on; null for the whole purchase. */
  lines: ChosenLines | null;
  /** Whether it holds for the purchase and is withheld from the member. */
  heldOut: boolean;
  /** Points before its caps. */
  raw: number;
  /** Points after its caps. */
  awardedPoints: number;
  caps: RuleDecision[];
}

interface ChosenLines {
  chosen: Chosen;
  /** Their base points together. */
  basePoints: number;
}

const WITHHELD = 'The member is among those from whom this campaign is withheld.';
const GIVEN = 'The member is not among those from whom this campaign is withheld.';
const unused: CapUse = { total: 0, member: 0, memberPeriod: 0 };

/**
 * Computes the points of campaigns on top of base points. Each campaign is evaluated by itself, and its points are
 * limited by its caps. Then `stacking` decides which campaigns apply together. A campaign that gives no points, because
 * its caps are used up or because there is nothing to multiply, does not keep other campaigns from applying.
 * @param campaigns in order of priority
 * @param heldOut ids of the campaigns that are withheld from the member
 * @param decisions the list to which a decision is added for each campaign, and for each cap of a campaign that applies
 * @returns the campaigns that give points, in order of priority
 */
export function evaluateCampaigns(
  campaigns: readonly CompiledCampaign[],
  facts: EvaluationFacts,
  base: EarnedBase,
  used: CapsUsed,
  heldOut: ReadonlySet<string>,
  decisions: RuleDecision[],
): CampaignPoints[] {
  if (campaigns.length === 0) return [];
  const evaluated = campaigns.map((campaign) => evaluateAlone(campaign, facts, base, used, heldOut));
  const best = bestOf(evaluated);
  const awards: CampaignPoints[] = [];
  let exclusive: string | null = null;
  for (const candidate of evaluated) {
    const { id, stacking, hasHoldout } = candidate.campaign;
    const { heldOut: withheld } = candidate;
    if (hasHoldout && candidate.whyNot === null) {
      const reason = withheld ? WITHHELD : GIVEN;
      decisions.push({ kind: 'campaign_holdout', id, matched: withheld, reason, points: 0 });
    }
    if (withheld) continue;
    const whyNot =
      candidate.whyNot ?? whyNotStacked(candidate, best, awards[0]?.campaignId ?? null, exclusive);
    const matched = whyNot === null;
    const decision: RuleDecision = {
      kind: 'campaign',
      id,
      matched,
      reason: whyNot,
      points: matched ? candidate.raw : 0,
    };
    decisions.push(decision);
    if (!matched) continue;
    if (candidate.lines && base.byLine) tellLines(decision, candidate.campaign, candidate.lines, base.byLine);
    decisions.push(...candidate.caps);
    if (candidate.awardedPoints === 0) continue;
    awards.push({ campaignId: id, points: candidate.awardedPoints });
    if (stacking === 'exclusive') exclusive = id;
  }
  return awards;
}

function evaluateAlone(
  campaign: CompiledCampaign,
  facts: EvaluationFacts,
  base: EarnedBase,
  used: CapsUsed,
  withheld: ReadonlySet<string>,
): EvaluatedCampaign {
  const nothing = { campaign, heldOut: false, lines: null, raw: 0, awardedPoints: 0, caps: [] };
  const whyNot = campaign.whyNot(facts);
  if (whyNot !== null) return { ...nothing, whyNot };
  const lines = chosenLines(campaign.lines, base.byLine);
  if (typeof lines === 'string') return { ...nothing, whyNot: lines };
  if (withheld.has(campaign.id)) return { ...nothing, whyNot: null, heldOut: true };
  const raw = campaign.bonus(lines?.basePoints ?? base.basePoints);
  const caps: RuleDecision[] = [];
  const awardedPoints = campaign.caps
    ? applyCaps(campaign.caps, campaign.id, raw, used.get(campaign.id) ?? unused, caps)
    : raw;
  return { campaign, whyNot: null, heldOut: false, lines, raw, awardedPoints, caps };
}

/** The lines that a campaign works on, null for the whole purchase; or the reason why there are none. */
function chosenLines(
  lines: CompiledCampaign['lines'],
  byLine: BasePointsByLine | null,
): ChosenLines | null | string {
  if (!lines || !byLine) return null;
  const chosen = lines.choose(byLine.basket);
  return chosen.includes(true) ? { chosen, basePoints: sumOfChosen(chosen, byLine.ofParts) } : lines.whyNone;
}

/** Adds the lines that a campaign works on to the decision that it applies. */
function tellLines(
  decision: RuleDecision,
  { multiplies }: CompiledCampaign,
  { chosen, basePoints }: ChosenLines,
  { basket, ofParts }: BasePointsByLine,
): void {
  const amounts = multiplies ? ofParts : basket.map(({ valueMinor }) => valueMinor);
  if (multiplies) decision.reason = `Works on the ${basePoints} base points of its lines.`;
  decision.lines = earnedLines(basket, chosen, divideOver(basket, chosen, decision.points, amounts));
}

/** The campaign with stacking `best` that gives the most points; the first of equal ones. Null where none gives any. */
function bestOf(evaluated: readonly EvaluatedCampaign[]): EvaluatedCampaign | null {
  let best: EvaluatedCampaign | null = null;
  for (const candidate of evaluated) {
    if (candidate.campaign.stacking === 'best' && candidate.awardedPoints > (best?.awardedPoints ?? 0))
      best = candidate;
  }
  return best;
}

/** Why a campaign whose conditions match does not apply together with the others, or null. */
function whyNotStacked(
  { campaign }: EvaluatedCampaign,
  best: EvaluatedCampaign | null,
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

/** Limits points by caps, one after the other. @returns the points that remain */
function applyCaps(
  { totalPoints, memberPoints, memberPeriod }: CampaignCaps,
  id: string,
  points: number,
  use: CapUse,
  decisions: RuleDecision[],
): number {
  let remaining = points;
  const applyCap = (name: string, cap: number, usedPoints: number, whose: string): void => {
    // A new version may have lowered the cap below the points given before. Then 0 points are left, and none are taken
    // back.
    const after = Math.min(remaining, Math.max(0, cap - usedPoints));
    const reason =
      after < remaining
        ? `${usedPoints} of ${cap} points ${whose} were given: ${remaining} became ${after}.`
        : 'Within the cap.';
    decisions.push({
      kind: 'campaign_cap',
      id: `${id}.${name}`,
      matched: after < remaining,
      reason,
      points: after - remaining,
    });
    remaining = after;
  };
  if (totalPoints !== undefined) applyCap('total', totalPoints, use.total, 'of all members');
  if (memberPoints !== undefined) applyCap('member', memberPoints, use.member, 'of the member');
  if (memberPeriod) {
    const { period, points: cap } = memberPeriod;
    applyCap(`member_${period}`, cap, use.memberPeriod, `of the member ${periodInWords[period]}`);
  }
  return remaining;
}
