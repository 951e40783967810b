import { lay, putBack, restock } from '../../model/ledger.ts';
import type { ModelReservation } from '../../model/model.ts';
import type { ReservedCase } from './on-reservation.ts';

/** What taking a redemption back does to the model. */
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
  const purse = lay(profile, moment.now);
  purse.restore(spent, quote.graceDays);
  purse.dropOver();
  const back: ModelReservation = { ...reservation, state: 'reversed' };
  putBack(model, quote.profile, purse);
  model.reservations.set(name, back);
  restock(model, reservation);
  return back;
}
