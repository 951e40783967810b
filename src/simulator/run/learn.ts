import type { Model } from '../model/model.ts';
import type { Memory } from './client-memory.ts';
import { answerName, type Intent } from './intent.ts';

/** What receipts tell of what they made. */
interface Told {
  return?: { returnReference: string };
  quote?: { id: string };
  reservation?: { id: string };
  dispute?: { id: string; reservationId: string };
  adjustment?: { id: string };
}

/** A client reads the answer to what it has sent: it remembers what it can name from now on, and the model learns the ids. */
export function learn(intent: Intent, receipt: object, memory: Memory, model: Model): void {
  const { externalCustomerId, operation } = intent;
  const told = receipt as Told;
  const name = (id: string): void => void model.names.set(id, answerName(intent));
  switch (operation) {
    case 'purchaseEarn': {
      const { sourceReference } = JSON.parse(intent.said) as { sourceReference: string };
      memory.remember('order', { id: sourceReference, externalCustomerId });
      return;
    }
    case 'recordCustomEvent': {
      const { sourceReference, type } = JSON.parse(intent.said) as { sourceReference: string; type: string };
      memory.remember('event', { id: sourceReference, externalCustomerId, of: type });
      return;
    }
    case 'claimChoiceBenefit': {
      const claim = JSON.parse(intent.said) as Record<'sourceReference' | 'choiceSetId' | 'rewardId', string>;
      const of = `${claim.choiceSetId} ${claim.rewardId}`;
      memory.remember('claim', { id: claim.sourceReference, externalCustomerId, of });
      return;
    }
    case 'recordReturn':
      if (told.return) memory.remember('return', { id: told.return.returnReference, externalCustomerId });
      return;
    case 'quoteRedemption':
      if (told.quote && memory.remember('quote', { id: told.quote.id, externalCustomerId }))
        name(told.quote.id);
      return;
    case 'reserveRedemption': {
      const id = told.reservation?.id;
      if (id && memory.remember('reservation', { id, externalCustomerId })) name(id);
      return;
    }
    case 'openDispute': {
      if (!told.dispute) return;
      const { id, reservationId } = told.dispute;
      if (memory.remember('dispute', { id, externalCustomerId, of: reservationId })) name(id);
      return;
    }
    case 'requestAdjustment':
      if (told.adjustment && memory.remember('adjustment', { id: told.adjustment.id, externalCustomerId })) {
        name(told.adjustment.id);
      }
  }
}
