import { purchaseEarn } from '../commands/earning/purchase-earn.ts';
import { recordCustomEvent } from '../commands/engagement/record-custom-event.ts';
import type { Caller } from '../commands/shared/caller.ts';
import type { PurchaseEarnInput } from '../contract/generated/types.ts';
import type { Receipt } from '../contract/receipt.ts';
import type { Command } from '../ledger/command.ts';
import type { PublishedProgram } from '../programs/published/published-program.ts';
import type { PastEngagement, PastPurchase } from './read-history.ts';
import type { SimulationClock } from './simulated-program.ts';
import type { SimulatedMember } from './simulated-state.ts';

/** What turns past events into commands again. */
export interface Replay {
  caller: Caller;
  /** The program with the draft. */
  program: PublishedProgram;
  clock: SimulationClock;
}

const PINNED = 'event_time_pinned_configuration';

/**
 * The command of a past purchase, as if it were received under the program with the draft.
 * @param referrerId externalCustomerId of the member whose referral code the purchase had
 */
export function purchaseCommand(
  event: PastPurchase,
  member: SimulatedMember,
  referrerId: string | null,
  replay: Replay,
): Command<Receipt<'purchaseEarn'>> {
  const { receipt, sourceReference, lines } = event;
  const { evidence } = receipt;
  const attributes = attributesOf(event, member, replay);
  const input: PurchaseEarnInput = {
    idempotencyKey: sourceReference,
    programId: replay.program.programId,
    externalCustomerId: member.member.externalCustomerId,
    sourceReference,
    amountMinor: evidence.amountMinor,
    channel: evidence.channel as PurchaseEarnInput['channel'],
    occurredAt: evidence.occurredAt,
    // Points that lines earned are no part of what the purchase said.
    items: (lines?.map(({ points: _points, ...item }) => item) ?? null) as PurchaseEarnInput['items'] | null,
    ...(receipt.coupon ? { couponCode: receipt.coupon.code } : {}),
    ...(evidence.currency ? { currency: evidence.currency } : {}),
    ...(attributes ? { context: { attributes } } : {}),
  };
  return purchaseEarn(input, replay.caller, referrerId);
}

/**
 * The attributes of the purchase, with `svcEvaluation` adapted to the draft. The version becomes the one that would
 * have been in effect then. A tier that this version lacks becomes the member's tier. On the clock of the events,
 * `svcEvaluation` is left out.
 */
function attributesOf(
  { receipt }: PastPurchase,
  { profile }: SimulatedMember,
  { program, clock }: Replay,
): Record<string, unknown> | null {
  const { attributes, occurredAt } = receipt.evidence;
  const evaluation = attributes?.svcEvaluation as { mode?: unknown; memberTier?: unknown } | undefined;
  if (!attributes || evaluation === undefined) return attributes;
  const { svcEvaluation: _evaluation, ...others } = attributes;
  if (clock === 'event' || evaluation.mode !== PINNED) return others;
  const at = new Date(occurredAt);
  const inForce = program.versions.findLast(
    ({ publishedAt, effectiveFrom }) => publishedAt <= at && effectiveFrom <= at,
  );
  const tiers = inForce?.document.tiers ?? [];
  const memberTier = [evaluation.memberTier, profile?.tier, tiers[0]?.id].find((id) =>
    tiers.some((tier) => tier.id === id),
  );
  return { ...others, svcEvaluation: { ...evaluation, configurationVersion: inForce?.version, memberTier } };
}

/** The command of a past engagement event. */
export function engagementCommand(
  event: PastEngagement,
  { caller }: Replay,
): Command<Receipt<'recordCustomEvent'>> {
  const { type, externalCustomerId, sourceReference, occurredAt, attributes } = event;
  return recordCustomEvent(
    {
      idempotencyKey: sourceReference,
      type,
      externalCustomerId,
      sourceReference,
      occurredAt: occurredAt.toISOString(),
      ...(attributes ? { attributes } : {}),
    },
    caller,
  );
}
