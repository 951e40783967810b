import type {
  Dispute,
  RedemptionDiscount,
  RedemptionQuote,
  Reservation,
} from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import type { DisputeRecord } from '../../ledger/tables/redemption-disputes.ts';
import type { QuoteRecord } from '../../ledger/tables/redemption-quotes.ts';
import type { ReservationRecord } from '../../ledger/tables/redemption-reservations.ts';
import type { DiscountTerms } from '../../rules/rewards.ts';

/**
 * A quote as receipts show it.
 * @param availableBalance the member's available points when the reward was quoted
 */
export function quoteReceipt(
  quote: QuoteRecord,
  externalCustomerId: string,
  availableBalance: number,
): RedemptionQuote {
  const { terms } = quote;
  return {
    id: toTypeId('quo', quote.id),
    state: quote.state,
    programId: quote.programId,
    externalCustomerId,
    rewardId: quote.rewardId,
    sourceReference: quote.sourceReference,
    points: quote.points,
    availableBalance,
    expiresAt: quote.expiresAt.toISOString(),
    terms: {
      configurationVersion: terms.configurationVersion,
      rewardName: terms.rewardName,
      description: terms.description,
      holdSeconds: terms.holdSeconds,
      cancellationEvidenceRequired: terms.cancellationEvidenceRequired,
      ...(terms.discount && {
        discountMinor: terms.discount.amountMinor,
        currency: terms.discount.currency,
        orderAmountMinor: terms.discount.orderAmountMinor,
      }),
    },
  };
}

/** A reservation as receipts and reads show it. */
export function reservationReceipt(reservation: ReservationRecord, externalCustomerId: string): Reservation {
  return {
    id: toTypeId('rsv', reservation.id),
    quoteId: toTypeId('quo', reservation.quoteId),
    state: reservation.state,
    programId: reservation.programId,
    externalCustomerId,
    rewardId: reservation.rewardId,
    sourceReference: reservation.sourceReference,
    points: reservation.points,
    reservedAt: reservation.reservedAt.toISOString(),
    expiresAt: reservation.expiresAt.toISOString(),
    changedAt: reservation.changedAt.toISOString(),
    authorizationReference: reservation.authorizationReference,
    reason: reservation.reason,
    fulfillmentStatus: reservation.fulfillmentStatus,
    fulfillmentReference: reservation.fulfillmentReference,
    transactionId: toTypeId('txn', reservation.transactionId),
    ...(reservation.terms.discount && { discount: discountReceipt(reservation.terms.discount, reservation) }),
  };
}

function discountReceipt(
  { amountMinor, currency, orderAmountMinor }: DiscountTerms,
  { reversedMinor, reversedPoints }: ReservationRecord,
): RedemptionDiscount {
  return { amountMinor, currency, orderAmountMinor, reversedMinor, reversedPoints };
}

/** A dispute as receipts and reads show it. */
export function disputeReceipt(dispute: DisputeRecord): Dispute {
  return {
    id: toTypeId('dsp', dispute.id),
    reservationId: toTypeId('rsv', dispute.reservationId),
    state: dispute.state,
    reason: dispute.reason,
    resolution: dispute.resolution,
    openedAt: dispute.openedAt.toISOString(),
    closedAt: dispute.closedAt?.toISOString() ?? null,
  };
}
