import type { Memory } from '../client/client-memory.ts';
import { commandName, type Intent } from '../client/intent.ts';
import type { Model } from '../model/model.ts';

/** The ids in receipts. */
interface MadeIds {
  exchange?: { settlementReference: string };
  return?: { returnReference: string };
  quote?: { id: string };
  reservation?: { id: string };
  redemption?: { id: string };
  dispute?: { id: string; reservationId: string };
  adjustment?: { id: string };
  merge?: { id: string };
}

/** Reads a receipt: the client remembers what later commands can refer to, and the model learns the ids. */
export function learn(intent: Intent, receipt: object, memory: Memory, model: Model): void {
  const { externalCustomerId, operation } = intent;
  const ids = receipt as MadeIds;
  const name = (id: string): void => void model.names.set(id, commandName(intent));
  switch (operation) {
    case 'purchaseEarn': {
      const { sourceReference } = JSON.parse(intent.input) as { sourceReference: string };
      memory.remember('order', { id: sourceReference, externalCustomerId });
      return;
    }
    case 'recordCustomEvent': {
      const { sourceReference, type } = JSON.parse(intent.input) as { sourceReference: string; type: string };
      memory.remember('event', { id: sourceReference, externalCustomerId, of: type });
      return;
    }
    case 'claimChoiceBenefit': {
      const claim = JSON.parse(intent.input) as Record<
        'sourceReference' | 'choiceSetId' | 'rewardId',
        string
      >;
      const of = `${claim.choiceSetId} ${claim.rewardId}`;
      memory.remember('claim', { id: claim.sourceReference, externalCustomerId, of });
      return;
    }
    case 'recordReturn':
      if (ids.return) memory.remember('return', { id: ids.return.returnReference, externalCustomerId });
      return;
    case 'settleExchange':
    case 'reverseExchange': {
      const id = ids.exchange?.settlementReference;
      if (id) memory.remember('settlement', { id, externalCustomerId });
      return;
    }
    case 'quoteRedemption':
      if (ids.quote && memory.remember('quote', { id: ids.quote.id, externalCustomerId })) name(ids.quote.id);
      return;
    case 'redeemInWidget':
    case 'reserveRedemption': {
      const id = ids.reservation?.id ?? ids.redemption?.id;
      if (id && memory.remember('reservation', { id, externalCustomerId })) name(id);
      return;
    }
    case 'openDispute': {
      if (!ids.dispute) return;
      const { id, reservationId } = ids.dispute;
      if (memory.remember('dispute', { id, externalCustomerId, of: reservationId })) name(id);
      return;
    }
    case 'requestMemberMerge': {
      const { intoExternalCustomerId: of } = JSON.parse(intent.input) as { intoExternalCustomerId: string };
      if (ids.merge && memory.remember('merge', { id: ids.merge.id, externalCustomerId, of }))
        name(ids.merge.id);
      return;
    }
    case 'requestAdjustment':
      if (ids.adjustment && memory.remember('adjustment', { id: ids.adjustment.id, externalCustomerId })) {
        name(ids.adjustment.id);
      }
  }
}
