import { restock, settledBalance, storeBalance, tellOf } from '../../model/ledger.ts';
import type { ModelReservation } from '../../model/model.ts';
import type { ReservedCase } from './on-reservation.ts';

/** Reverses a redemption in the model. */
export function reversed(
  { model, moment, name, reservation, profile }: Omit<ReservedCase<object>, 'input'>,
  evidence: boolean,
):
  | ModelReservation
  | { code: 'invalid_redemption_state' | 'cancellation_evidence_required' | 'enrollment_required' } {
  const { quote, state, spent } = reservation;
  if (state !== 'committed') return { code: 'invalid_redemption_state' };
  if (quote.evidenceRequired && !evidence) return { code: 'cancellation_evidence_required' };
  if (!profile.enrolled) return { code: 'enrollment_required' };
  const balance = settledBalance(profile, moment.now);
  balance.returnToLots(spent, quote.graceDays);
  balance.expireLots();
  const back: ModelReservation = { ...reservation, state: 'reversed' };
  storeBalance(model, quote.profile, balance);
  model.reservations.set(name, back);
  restock(model, reservation);
  tellOf(model, 'redemption.reversed', back);
  return back;
}
