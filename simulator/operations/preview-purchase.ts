import { previewPurchase } from '../../src/commands/earning/preview-purchase.ts';
import { purchaseEarn } from '../../src/commands/earning/purchase-earn.ts';
import type { Caller } from '../../src/commands/shared/caller.ts';
import type { Command } from '../../src/ledger/command.ts';
import { isRefusal } from '../../src/refusal.ts';
import { operation } from '../client/intent.ts';
import { predictPurchase } from '../model/purchase.ts';
import type { Purchase } from '../model/purchase-input.ts';
import { inventPurchase, referrerLookup } from './purchase-earn.ts';

/** Asks what a purchase would earn: in the model what it does earn, with nothing of it kept. */
export const previewPurchaseOperation = operation<Purchase>({
  name: 'previewPurchase',
  weight: 12,
  allowedWhileLocked: true,
  keyless: true,
  invent: (surroundings) => inventPurchase(surroundings, PREVIEWED),
  alter: (input) => input,
  lookup: referrerLookup,
  command: (input, caller, owner) => previewCommand(input, caller, owner?.externalCustomerId ?? null),
  predict(model, input, moment) {
    const predicted = predictPurchase(model.fork(), input, moment);
    if ('code' in predicted) return predicted;
    const {
      status: _status,
      member,
      ...award
    } = predicted.receipt as { status: string; member: { tier: string } };
    return { receipt: { ...award, personalized: true, tier: member.tier } };
  },
});

/** In place of an order reference: no order has it. */
const PREVIEWED = 'previewed';

/** A preview, decided on the rows that the purchase would be decided on. It writes nothing. */
export function previewCommand(
  { sourceReference, ...input }: Purchase,
  caller: Caller,
  referrerId: string | null,
): Command {
  const { subjects, ...command } = purchaseEarn(
    { ...input, sourceReference, idempotencyKey: PREVIEWED },
    caller,
    referrerId,
  );
  return {
    ...command,
    operation: 'previewPurchase',
    idempotencyKey: null,
    allowedWhileLocked: true,
    subjects,
    decide(state, now) {
      const preview = previewPurchase(input, referrerId, state, now);
      if (isRefusal(preview)) return preview;
      return { receipt: preview, inserts: {}, updates: {}, audits: [], webhookEvents: [] };
    },
  };
}
