import type { PlainCampaigns } from '../programs/campaigns.ts';
import { documentOf, type PlainProgram } from '../programs/program.ts';
import { open } from './award/calendar.ts';
import { isFor } from './award/conditions.ts';
import { type Award, type CapUse, type KnownHistory, stranger } from './award/situation.ts';
import type { Counters } from './counters.ts';
import type { Model } from './model.ts';
import type { ModelProfile } from './profile.ts';

/** What is known of a member before a purchase or an event. */
export function historyOf(
  model: Model,
  externalCustomerId: string,
  { purchases, spentMinor }: Pick<ModelProfile, 'purchases' | 'spentMinor'>,
): KnownHistory {
  const { tags = [], lists = [] } = model.members.get(externalCustomerId) ?? {};
  // The programs of the simulator ask for no dates of purchases.
  return { ...stranger, purchaseCount: purchases, purchaseAmountMinor: spentMinor, tags, lists };
}

/** Whether a challenge is open to a member: its schedule is in effect, and the member is in one of its audiences. */
export function isOpenTo(
  program: PlainProgram,
  challengeId: string,
  { at, tier, member }: { at: number; tier: string; member: KnownHistory },
): boolean {
  const document = documentOf(program);
  const challenge = document.challenges?.find(({ id }) => id === challengeId);
  if (!challenge) throw new Error(`${program.id} has no challenge ${challengeId}`);
  const evaluationAt = new Date(at);
  // No audience of the simulator asks for qualification points.
  const profile = { tier, qualificationPoints: 0 };
  return (
    open(challenge.schedule, evaluationAt, program.timeZone) &&
    isFor(challenge.audiences, { program: document, evaluationAt, profile, member })
  );
}

/** What campaigns have given before, by their ids. */
export function capsUsed({ campaigns }: PlainCampaigns, counters: Counters): Map<string, CapUse> {
  return new Map(
    campaigns.map(({ id, capPeriod }) => {
      const name = campaignName(id);
      const total = counters.ofAll(name);
      const member = counters.ofMember(name, 'lifetime');
      const { period } = capPeriod ?? {};
      const memberPeriod = period ? counters.ofMember(`${name}.${period}`, period) : 0;
      return [id, { total, member, memberPeriod }];
    }),
  );
}

/** How often a coupon has been redeemed before. */
export function couponUsed(code: string, counters: Counters): { total: number; member: number } {
  const name = couponName(code);
  return { total: counters.ofAll(name), member: counters.ofMember(name, 'lifetime') };
}

/** The points that count toward the member limit of the present period. */
export function limitUsed({ limit }: PlainProgram, counters: Counters): number {
  return limit ? counters.ofMember(`member_limit.${limit.period}`, limit.period) : 0;
}

/** Counts an award toward the limit, the caps and the limits of its coupon, where the version has them. */
export function countAward(
  program: PlainProgram,
  { points, campaigns, coupon }: Award,
  couponCode: string,
  counters: Counters,
): void {
  const { limit } = program;
  if (limit) counters.takeOfMember(`member_limit.${limit.period}`, limit.period, points);
  for (const { campaignId, points: awardedPoints } of campaigns) {
    const campaign = program.campaigns.find(({ id }) => id === campaignId);
    const name = campaignName(campaignId);
    if (campaign?.capTotal != null) counters.takeOfAll(name, awardedPoints);
    if (campaign?.capMember != null) counters.takeOfMember(name, 'lifetime', awardedPoints);
    const period = campaign?.capPeriod?.period;
    if (period) counters.takeOfMember(`${name}.${period}`, period, awardedPoints);
  }
  const redeemed = coupon?.valid ? program.coupons.find(({ code }) => code === couponCode) : undefined;
  if (!redeemed) return;
  const name = couponName(redeemed.code);
  if (redeemed.limitTotal !== null) counters.takeOfAll(name, 1);
  if (redeemed.limitMember !== null) counters.takeOfMember(name, 'lifetime', 1);
}

/** Tells of the campaigns that have come to four fifths of their cap, or to all of it. */
export function tellOfCaps(
  model: Model,
  program: PlainProgram,
  awards: Award['campaigns'],
  counters: Counters,
): void {
  for (const { campaignId, points } of awards) {
    const cap = program.campaigns.find((each) => each.id === campaignId)?.capTotal ?? null;
    if (cap === null) continue;
    const before = counters.ofAll(campaignName(campaignId));
    for (const percent of [80, 100]) {
      const [then, now] = [before, before + points].map((sum) => sum * 100 >= cap * percent);
      if (then || !now) continue;
      const data = { campaignId, percent, capPoints: cap, givenPoints: before + points };
      model.tellOfProgram('campaign.cap_reached', program.id, data);
    }
  }
}

function campaignName(id: string): string {
  return `campaign:${id}`;
}

function couponName(code: string): string {
  return `coupon:${code}`;
}
