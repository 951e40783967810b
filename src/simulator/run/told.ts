interface Told {
  campaigns: object[];
  coupon: { redeemed: boolean } | null;
  referral: object | null;
  ruleDecisions: { kind: string; id: string; matched: boolean; points: number }[];
}

/** What a purchase met beside its earn rule, as its receipt tells it. */
export function metBy(receipt: object): string[] {
  const { campaigns, coupon, referral, ruleDecisions } = receipt as Told;
  const met: string[] = campaigns.length > 1 ? ['several campaigns'] : [];
  if (campaigns.length === 1) met.push('one campaign');
  if (coupon) met.push(coupon.redeemed ? 'coupon redeemed' : 'coupon refused');
  for (const { kind, id, matched, points } of ruleDecisions) {
    if (kind === 'referral' && !referral) met.push('referral refused');
    // Such as `spring.total`.
    if (kind === 'campaign_cap' && matched && points < 0)
      met.push(`cap ${id.slice(id.indexOf('.') + 1)} reached`);
    if (kind === 'member_limit' && points < 0) met.push('member limit reached');
  }
  return met;
}

/** What an event brought about, as its receipt tells it. */
export function broughtBy(receipt: object): string[] {
  const { awards } = receipt as { awards: { programId: string; challengeId: string }[] };
  const times = Map.groupBy(awards, ({ programId, challengeId }) => `${programId} ${challengeId}`);
  return [...times.values()].flatMap(({ length }) => {
    if (length === 1) return ['challenge completed'];
    return length < 20 ? ['challenge completed several times'] : ['challenge completed twenty times'];
  });
}
