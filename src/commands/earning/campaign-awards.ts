import type { CampaignAwardRecord } from '../../ledger/tables/campaign-awards.ts';
import type { TransactionRecord } from '../../ledger/tables/transactions.ts';
import type { PurchaseEvaluation } from '../../rules/earning/evaluate-purchase.ts';

/**
 * What is recorded about the campaigns of a purchase, for their reports: those that gave points, and those with a
 * holdout that hold for the purchase, whatever they gave, so that members with and without them can be compared.
 */
export function campaignAwardsOf(
  { programId, memberId, id: transactionId }: TransactionRecord,
  amountMinor: number,
  { points: earnedPoints, campaigns, ruleDecisions }: PurchaseEvaluation,
): CampaignAwardRecord[] {
  const record = (campaignId: string, heldOut: boolean, points: number): CampaignAwardRecord => ({
    ...{ programId, campaignId, memberId, transactionId },
    ...{ heldOut, points, earnedPoints, amountMinor },
  });
  const awards = new Map(
    campaigns.map(({ campaignId, points }) => [campaignId, record(campaignId, false, points)]),
  );
  for (const { kind, id, matched } of ruleDecisions) {
    if (kind === 'campaign_holdout' && !awards.has(id)) awards.set(id, record(id, matched, 0));
  }
  return [...awards.values()];
}
