import type { Campaign, CampaignAward } from '../../../src/programs/document/campaign-document.ts';
import { handOut, inDecision, meant, type Ware } from './baskets.ts';
import { open } from './calendar.ts';
import { isFor, matches } from './conditions.ts';
import { Rational } from './rational.ts';
import type { Decided, Situation } from './situation.ts';

const MOST = 2n ** 53n - 1n;

/** A campaign that applies, with its points. */
export interface Laid {
  id: string;
  points: bigint;
  /** The wares that it is for, where the program looks at lines. */
  wares?: readonly Ware[];
  /** In proportion to what its points are theirs. */
  by?: (ware: Ware) => bigint;
}

interface Candidate {
  campaign: Campaign;
  /** Whether schedule, audiences and conditions match. */
  stands: boolean;
  /** Whether it stands, and the member is among those from whom it is withheld. */
  withheld: boolean;
  before: bigint;
  after: bigint;
  caps: Decided[];
  wares: readonly Ware[];
  /** As the decision shows them; empty where it is for the whole purchase. */
  lines: string;
}

/**
 * The campaigns that apply, as src/programs/document/campaign-document.ts says: by priority and id; what each would
 * give, under its caps; the best of the competing ones; then one after the other.
 */
export function layCampaigns(
  situation: Situation,
  basePoints: bigint,
  wares: readonly Ware[],
): { laid: Laid[]; decisions: Decided[] } {
  const all = (situation.program.campaigns ?? [])
    .toSorted((a, b) =>
      (a.priority ?? 0) === (b.priority ?? 0) ? byId(a, b) : (b.priority ?? 0) - (a.priority ?? 0),
    )
    .map((campaign) => candidate(campaign, situation, basePoints, wares));
  const competing = all.filter(({ campaign, after }) => campaign.stacking === 'best' && after > 0n);
  const winner = competing.toSorted((a, b) => Number(a.after < b.after) - Number(a.after > b.after))[0];
  const laid: Laid[] = [];
  const decisions: Decided[] = [];
  let ended = false;
  for (const one of all) {
    const { id, stacking, holdout } = one.campaign;
    if (one.stands && holdout) decisions.push(`campaign_holdout ${id} ${one.withheld ? 0 : 'no'}`);
    if (one.withheld) continue;
    const alone = stacking === 'exclusive';
    const outdone = stacking === 'best' && winner !== undefined && winner !== one;
    const applies = one.stands && !ended && !(alone && laid.length > 0) && !outdone;
    decisions.push(`campaign ${id} ${applies ? `${one.before}${one.lines}` : 'no'}`);
    if (!applies) continue;
    decisions.push(...one.caps);
    if (one.after === 0n) continue;
    laid.push({ id, points: one.after, wares: one.wares, by: proportionOf(one.campaign.award) });
    ended = alone;
  }
  return { laid, decisions };
}

function byId(a: Campaign, b: Campaign): number {
  return a.id === b.id ? 0 : [a.id, b.id].sort()[0] === a.id ? -1 : 1;
}

/** What the points of an award are divided in proportion to. */
export function proportionOf(award: CampaignAward | undefined): (ware: Ware) => bigint {
  return award && 'multiplier' in award ? ({ base }) => base : ({ value }) => value;
}

function candidate(
  campaign: Campaign,
  situation: Situation,
  basePoints: bigint,
  wares: readonly Ware[],
): Candidate {
  const { id, schedule, audiences, award, caps = {} } = campaign;
  const its = campaign.lines === undefined ? wares : meant(campaign.lines, wares, situation);
  const base = campaign.lines === undefined ? basePoints : its.reduce((sum, ware) => sum + ware.base, 0n);
  const stands =
    (campaign.lines === undefined || its.length > 0) &&
    open(schedule, situation.evaluationAt, situation.program.timeZone ?? 'UTC') &&
    isFor(audiences, situation) &&
    matches(campaign, situation);
  const withheld = stands && situation.heldOut?.has(id) === true;
  const before = stands && !withheld ? bonus(award, base) : 0n;
  const decisions: Decided[] = [];
  let after = before;
  const used = situation.capsUsed?.get(id) ?? { total: 0, member: 0, memberPeriod: 0 };
  const { totalPoints, memberPoints, memberPeriod } = caps;
  const list: [string, number | undefined, number][] = [
    ['total', totalPoints, used.total],
    ['member', memberPoints, used.member],
    [`member_${memberPeriod?.period}`, memberPeriod?.points, used.memberPeriod],
  ];
  for (const [name, cap, usedPoints] of list) {
    if (cap === undefined) continue;
    const remaining = cap > usedPoints ? BigInt(cap - usedPoints) : 0n;
    const trimmed = after > remaining ? after - remaining : 0n;
    after -= trimmed;
    decisions.push(`campaign_cap ${id}.${name} ${trimmed > 0n ? -trimmed : 'no'}`);
  }
  const lines =
    campaign.lines === undefined ? '' : inDecision(its, handOut(before, its, proportionOf(award)));
  return { campaign, stands, withheld, before, after, caps: decisions, wares: its, lines };
}

/** Bonus points, or base points × (multiplier − 1), rounded; never more than 2^53-1. */
export function bonus(award: CampaignAward, basePoints: bigint): bigint {
  if ('bonusPoints' in award) return BigInt(award.bonusPoints);
  const { numerator, denominator } = award.multiplier;
  const beyond = new Rational(numerator, denominator).minus(new Rational(1));
  const points = beyond.times(basePoints).round(award.rounding);
  return points < MOST ? points : MOST;
}
