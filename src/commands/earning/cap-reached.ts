import type { WebhookEvent } from '../../ledger/command.ts';
import { compileProgram } from '../../rules/compiled/compiled-program.ts';
import type { PurchaseEvaluation } from '../../rules/earning/evaluate-purchase.ts';
import type { EarningUse, Purchase } from './earning-counters.ts';

/** The parts of a cap, in percent, that are told of when they are reached. */
const TOLD = [80, 100] as const;

/**
 * The events that a purchase has brought campaigns to 80 or 100 percent of `caps.totalPoints`. The counter of such a
 * cap is locked and only grows, so exactly one purchase passes each mark of a cap.
 */
export function capsReached(
  { input: { programId }, picked }: Purchase,
  { capsUsed }: EarningUse,
  { campaigns }: PurchaseEvaluation,
): WebhookEvent[] {
  if (campaigns.length === 0) return [];
  const compiled = compileProgram(picked.version.document).campaigns;
  return campaigns.flatMap(({ campaignId, points }) => {
    const cap = compiled.find(({ id }) => id === campaignId)?.caps?.totalPoints;
    if (cap === undefined) return [];
    const before = capsUsed.get(campaignId)?.total ?? 0;
    const after = before + points;
    return TOLD.filter((percent) => before < markOf(cap, percent) && after >= markOf(cap, percent)).map(
      (percent): WebhookEvent => ({
        type: 'campaign.cap_reached',
        data: { programId, campaignId, percent, capPoints: cap, givenPoints: after },
      }),
    );
  });
}

/** The least number of points that is so much of a cap. Exact, since no product exceeds 2^53-1. */
function markOf(cap: number, percent: (typeof TOLD)[number]): number {
  return percent === 100 ? cap : cap - Math.floor(cap / 5);
}
