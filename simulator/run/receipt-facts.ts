import { STREAK_IDS } from '../programs/engagement.ts';

interface PurchaseReceipt {
  campaigns: object[];
  coupon: { redeemed: boolean } | null;
  evidence: { poolCode?: object };
  referral: object | null;
  ruleDecisions: { kind: string; id: string; matched: boolean; points: number; lines?: object[] }[];
}

/** What applied to a purchase besides its earn rule, according to its receipt. The figures count these. */
export function purchaseFacts(receipt: object): string[] {
  const { campaigns, coupon, evidence, referral, ruleDecisions } = receipt as PurchaseReceipt;
  const facts: string[] = campaigns.length > 1 ? ['several campaigns'] : [];
  if (campaigns.length === 1) facts.push('one campaign');
  if (earnedBy(ruleDecisions) > 1) facts.push('several earn rules');
  if (ruleDecisions.some(({ kind, lines }) => kind === 'campaign' && lines)) facts.push('campaign on lines');
  const kind = evidence.poolCode ? 'code of a pool' : 'coupon';
  if (coupon) facts.push(`${kind} ${coupon.redeemed ? 'redeemed' : 'refused'}`);
  for (const { kind, id, matched, points } of ruleDecisions) {
    if (kind === 'referral' && !referral) facts.push('referral refused');
    // The id is campaign and cap, such as `spring.total`.
    if (kind === 'campaign_cap' && matched && points < 0)
      facts.push(`cap ${id.slice(id.indexOf('.') + 1)} reached`);
    if (kind === 'campaign_holdout' && matched) facts.push('campaign withheld');
    if (kind === 'member_limit' && points < 0) facts.push('member limit reached');
  }
  return facts;
}

function earnedBy(decisions: PurchaseReceipt['ruleDecisions']): number {
  return decisions.filter(({ kind, matched }) => kind === 'earn_rule' && matched).length;
}

/** What a custom event completed, according to its receipt. The figures count these. */
export function eventFacts(receipt: object): string[] {
  const { awards } = receipt as { awards: { programId: string; challengeId: string }[] };
  const times = Map.groupBy(awards, ({ programId, challengeId }) => `${programId} ${challengeId}`);
  const streaks = awards
    .filter(({ challengeId }) => STREAK_IDS.has(challengeId))
    .map(() => 'streak completed');
  const challenges = [...times.values()].map(({ length }) => {
    if (length === 1) return 'challenge completed';
    return length < 20 ? 'challenge completed several times' : 'challenge completed twenty times';
  });
  return [...challenges, ...streaks];
}
