import { evaluationRequest } from '../../../commands/earning/assess-purchase.ts';
import { sharedCountersOf } from '../../../commands/earning/earning-counters.ts';
import type { Preview, Previewing, PreviewState } from '../../../commands/earning/preview-purchase.ts';
import { readReferralCode, referralCodeOf } from '../../../commands/shared/referral-code.ts';
import type { PreviewPurchaseInput } from '../../../contract/generated/types.ts';
import type { BoundedQueries } from '../../../queries/bounded-queries.ts';
import type { PurchaseSnapshot } from '../../../queries/purchase-snapshot.ts';
import { isRefusal, type Refusal, refuse } from '../../../refusal.ts';

/**
 * Says what a purchase would earn now, or at a later moment, as one snapshot of the database has it.
 * @param previewing says it of the snapshot
 */
export async function previewOf(
  queries: Pick<BoundedQueries, 'purchaseSnapshot'>,
  environmentId: string,
  input: PreviewPurchaseInput,
  previewing: Previewing,
): Promise<Preview | Refusal> {
  const { programId, externalCustomerId = null } = input;
  const code = referralCodeOf(input.context?.attributes);
  const request = evaluationRequest(input);
  const moment = input.at ? new Date(input.at) : null;
  const pinned = request.mode === 'event_time_pinned_configuration';
  const snapshot = await queries.purchaseSnapshot(environmentId, {
    programId,
    externalCustomerId,
    referralCode: code === null ? null : readReferralCode(code),
    couponCode: input.couponCode?.trim() || null,
    moment,
    at: pinned ? (request.occurredAt ?? null) : null,
    sharedCounters: sharedCountersOf(request, input.couponCode?.trim()),
  });
  if (isRefusal(snapshot)) return snapshot;
  if (moment && moment < snapshot.now) return inThePast;
  const referrerId = snapshot.referrer?.member.externalCustomerId ?? null;
  return previewing(input, referrerId, stateOf(snapshot, externalCustomerId), moment ?? snapshot.now);
}

const inThePast = refuse('invalid_event', 'A preview is for now or for later.', [
  { path: 'at', message: "must not be before the server's time" },
]);

/** @param asked the name that the preview was asked for; null for an anonymous one */
function stateOf(
  { program, buyer, referrer, limits, shared, couponCode }: PurchaseSnapshot,
  asked: string | null,
): PreviewState {
  // The buyer's name may be that of an account that was merged into the buyer's.
  const accountOf = (externalCustomerId: string) =>
    externalCustomerId === asked
      ? buyer
      : [buyer, referrer].find((one) => one?.member.externalCustomerId === externalCustomerId);
  return {
    program: () => program,
    member: (externalCustomerId) => accountOf(externalCustomerId)?.member ?? null,
    profile: (_programId, externalCustomerId) => accountOf(externalCustomerId)?.profile ?? null,
    limitCounter: (programId, _externalCustomerId, limitId, periodStart) => {
      const storedCounter = limits.find(
        (counter) => counter.limitId === limitId && counter.periodStart.getTime() === periodStart.getTime(),
      );
      return storedCounter && buyer ? { programId, memberId: buyer.member.id, ...storedCounter } : null;
    },
    couponCode: () => couponCode,
    sharedCounter: (programId, counterId) => {
      const taken = shared.get(counterId);
      return taken === undefined ? null : { programId, counterId, taken };
    },
  };
}
