import { openDispute } from '../../../src/commands/redemptions/open-dispute.ts';
import { rejectDispute } from '../../../src/commands/redemptions/reject-dispute.ts';
import { resolveDispute } from '../../../src/commands/redemptions/resolve-dispute.ts';
import type { Caller } from '../../../src/commands/shared/caller.ts';
import type { Command } from '../../../src/ledger/command.ts';
import type { OwnedResource } from '../../../src/ledger/resource-owner.ts';
import { type Operation, operation } from '../../client/intent.ts';
import { referenceTo } from '../../client/lookups.ts';
import { madeId } from '../../model/expected-event.ts';
import { receiptOf, reservationOf, tellOf } from '../../model/ledger.ts';
import type { Prediction } from '../../model/model.ts';
import { onReservation, type ReservedCase } from './on-reservation.ts';
import { reversed } from './reversed.ts';

export const openDisputeOperation = onReservation<{ reason: string }>({
  name: 'openDispute',
  weight: 3,
  requiredState: 'committed',
  invent: () => ({ reason: 'it is broken' }),
  alter: (input) => ({ ...input, reason: `${input.reason}!` }),
  command: openDispute,
  predict({ model, input, moment, name, reservation }) {
    if (reservation.state !== 'committed') return { code: 'invalid_redemption_state' };
    if (reservation.disputes >= 20) return { code: 'dispute_limit_reached' };
    model.reservations.set(name, { ...reservation, disputes: reservation.disputes + 1 });
    model.disputes.set(moment.name, { reservation: name, state: 'open' });
    tellOf(model, 'redemption.dispute_opened', reservation, { disputeId: madeId('dsp') });
    const { reservationId, reason } = input;
    return {
      receipt: {
        dispute: { reservationId, state: 'open', reason, resolution: null },
        reservation: { ...receiptOf(reservation), id: reservationId },
      },
    };
  },
});

interface DisputeInput {
  disputeId: string;
  reservationId: string;
  customer: string;
  text: string;
  reverse?: boolean;
}

interface OnDispute {
  name: string;
  weight: number;
  state: 'resolved' | 'rejected';
  reverses: boolean;
  command(
    input: DisputeInput & { idempotencyKey: string },
    resource: OwnedResource | null,
    caller: Caller,
  ): Command;
}

export const resolveDisputeOperation = onDispute({
  name: 'resolveDispute',
  weight: 2,
  state: 'resolved',
  reverses: true,
  command: ({ text: resolution, customer: _customer, ...input }, resource, caller) =>
    resolveDispute({ ...input, resolution }, resource, caller),
});

export const rejectDisputeOperation = onDispute({
  name: 'rejectDispute',
  weight: 2,
  state: 'rejected',
  reverses: false,
  command: ({ text: reason, customer: _customer, ...input }, resource, caller) =>
    rejectDispute({ ...input, reason }, resource, caller),
});

function onDispute({ name, weight, state, reverses, command }: OnDispute): Operation {
  return operation<DisputeInput>({
    name,
    weight,
    invent({ random, memory, customers, model }) {
      const dispute = memory.pick('dispute', random, customers, (id) => {
        return model.disputes.get(model.names.get(id) ?? '')?.state === 'open';
      });
      // At times with a reservation that is not the dispute's own.
      const other = random.chance(0.1) ? memory.pick('reservation', random, customers) : null;
      if (!dispute || (other && other.externalCustomerId !== dispute.externalCustomerId)) return null;
      return {
        disputeId: dispute.id,
        reservationId: other?.id ?? dispute.of ?? 'nothing',
        customer: dispute.externalCustomerId,
        text: 'sent another one',
        ...(reverses && random.chance(0.5) ? { reverse: true } : {}),
      };
    },
    alter: (input) => ({ ...input, text: `${input.text}!` }),
    lookup: ({ reservationId }) => referenceTo('reservation', reservationId),
    command(input, caller, owner) {
      const reference = referenceTo('reservation', input.reservationId);
      return command(input, reference && owner && { ...owner, id: reference.id }, caller);
    },
    predict(model, input, moment) {
      const reservationCase = reservationOf(model, input.reservationId, moment.now);
      if (!reservationCase) return { code: 'reservation_not_found' };
      return predictClosing({ ...reservationCase, model, input, moment }, state);
    },
  });
}

function predictClosing(reserved: ReservedCase<DisputeInput>, state: OnDispute['state']): Prediction {
  const { model, input } = reserved;
  const name = model.names.get(input.disputeId) ?? '';
  const dispute = model.disputes.get(name);
  if (dispute?.reservation !== reserved.name) return { code: 'dispute_not_found' };
  if (dispute.state !== 'open') return { code: 'invalid_dispute_state' };
  const after = input.reverse ? reversed(reserved, false) : reserved.reservation;
  if ('code' in after) return after;
  model.disputes.set(name, { ...dispute, state });
  tellOf(model, `redemption.dispute_${state}`, after, { disputeId: madeId('dsp') });
  return {
    receipt: {
      dispute: { id: input.disputeId, state, resolution: input.text },
      reservation: { ...receiptOf(after), id: input.reservationId },
    },
  };
}
