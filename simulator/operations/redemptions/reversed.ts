import type { ErrorCode } from '../../../src/contract/generated/error-codes.ts';
import { restock, settledBalance, storeBalance, tellOf } from '../../model/ledger.ts';
import type { ModelReservation } from '../../model/model.ts';
import type { Part } from '../../model/points.ts';
import { pointsOwed } from '../../model/returns.ts';
import type { ReservedCase } from './on-reservation.ts';

/** Reverses a redemption in the model. @param amountMinor of its discount; null for all that is left of it */
export function reversed(
  { model, moment, name, reservation, profile }: Omit<ReservedCase<object>, 'input'>,
  evidence: boolean,
  amountMinor: number | null = null,
): ModelReservation | { code: ErrorCode } {
  const { quote, state, spent } = reservation;
  if (state !== 'committed') return { code: 'invalid_redemption_state' };
  const discountMinor = quote.discount?.amountMinor ?? null;
  if (discountMinor === null && amountMinor !== null) return { code: 'reversal_form_invalid' };
  const reversedMinor = amountMinor === null ? (discountMinor ?? 0) : reservation.reversedMinor + amountMinor;
  if (discountMinor !== null && reversedMinor > discountMinor) return { code: 'reversal_exceeds_remaining' };
  if (quote.evidenceRequired && !evidence) return { code: 'cancellation_evidence_required' };
  if (!profile.enrolled) return { code: 'enrollment_required' };
  const isLast = discountMinor === null || reversedMinor === discountMinor;
  const keptPoints =
    discountMinor === null
      ? 0
      : quote.points - pointsOwed({ points: quote.points, amountMinor: discountMinor }, reversedMinor, false);
  const { back, rest } = divided(spent, keptPoints);
  const balance = settledBalance(profile, moment.now);
  balance.returnToLots(back, quote.graceDays);
  balance.expireLots();
  const after: ModelReservation = {
    ...reservation,
    state: isLast ? 'reversed' : 'committed',
    spent: rest,
    reversedMinor,
  };
  storeBalance(model, quote.profile, balance);
  model.reservations.set(name, after);
  if (isLast) restock(model, reservation);
  tellOf(model, 'redemption.reversed', after, {
    reservationState: after.state,
    reversedPoints: back.reduce((sum, part) => sum + part.points, 0),
    reversedMinor: discountMinor === null ? null : reversedMinor - reservation.reversedMinor,
  });
  return after;
}

/** Divides spent points: the first `keptPoints` of them stay spent, the others go back. */
function divided(spent: readonly Part[], keptPoints: number): { back: Part[]; rest: Part[] } {
  const [back, rest]: [Part[], Part[]] = [[], []];
  let staying = keptPoints;
  for (const { lot, points } of spent) {
    const stays = Math.min(staying, points);
    staying -= stays;
    if (stays > 0) rest.push({ lot, points: stays });
    if (points > stays) back.push({ lot, points: points - stays });
  }
  return { back, rest };
}
