import { spend } from '../../ledger/books/spend.ts';
import type { Command, Decision } from '../../ledger/command.ts';
import type { State } from '../../ledger/state.ts';
import type { SettlementRecord } from '../../ledger/tables/exchange-settlements.ts';
import { isActive } from '../../ledger/tables/members.ts';
import { versionAt } from '../../programs/published/published-program.ts';
import { programNotFound, type Refusal } from '../../refusal.ts';
import { lotDates } from '../../rules/calendar/lot-dates.ts';
import { refuseOverflow, refuseShortage } from '../shared/balance-limit.ts';
import { type Caller, importEnvelope } from '../shared/caller.ts';
import { noActiveMember } from '../shared/no-active-member.ts';
import { pointsEarned } from '../shared/points-earned.ts';
import {
  type ExchangeInput,
  type ExchangeReceipt,
  exchangeDecision,
  exchangeSubjects,
  refuseOutsider,
  refuseRecorded,
  settledBook,
} from './exchange-decision.ts';

/** Points that a partner and the program have exchanged for a member. */
export interface SettleExchangeInput extends ExchangeInput {
  partnerId: string;
  /** in: points of the partner become points of the program. out: the other way round. */
  direction: SettlementRecord['direction'];
  /** In the smallest loyalty unit; 1 to 2^53-1. */
  points: number;
}

/**
 * Settles an exchange of points with a partner (decisions, "Lists": partner exchange). Points that come in are an
 * award: they go into a lot under the present expiration policy and are available at once. Points that go out are
 * spent, soonest-expiring first. Both are activity of the member. Refusals: `program_not_found`, `member_not_found`,
 * `source_reference_conflict`, `enrollment_required`; in: `balance_limit_exceeded`; out: `insufficient_points`.
 */
export function settleExchange(input: SettleExchangeInput, caller: Caller): Command<ExchangeReceipt> {
  return {
    ...importEnvelope('settleExchange', input, caller),
    laneKey: input.externalCustomerId,
    subjects: exchangeSubjects(input, input.direction === 'out' ? input.points : 0),
    decide: (state, now) => decide(input, state, now),
  };
}

function decide(input: SettleExchangeInput, state: State, now: Date): Decision<ExchangeReceipt> | Refusal {
  const { programId, externalCustomerId, settlementReference, partnerId, direction, points } = input;
  const program = state.program(programId);
  const version = program && versionAt(program, now);
  if (!version) return programNotFound;
  const member = state.member(externalCustomerId);
  if (!isActive(member)) return noActiveMember;
  const barred = refuseRecorded(input, state) ?? refuseOutsider(input, state);
  if (barred) return barred;
  const page = settledBook(input, state, now);
  const { book } = page;
  const impossible = (direction === 'in' ? refuseOverflow : refuseShortage)(book.profile, points);
  if (impossible) return impossible;
  book.setProfile({ lastActivityAt: now });
  const entry = book.open({ eventType: 'exchange.settled', sourceReference: settlementReference });
  if (direction === 'in') {
    const { pending: _pending, ...document } = version.document;
    const lot = book.addLot(entry, points, lotDates(document, now, now));
    book.move(entry, lot.id, 'program.clearing', 'member.available', points);
  } else {
    spend(book, entry, state.loadedPoints(programId, externalCustomerId), points, 'program.clearing');
  }
  const record: SettlementRecord = {
    settlementReference,
    programId,
    memberId: member.id,
    partnerId,
    direction,
    points,
    transactionId: entry.id,
    reverses: null,
    reversedBy: null,
    createdAt: now,
  };
  const transaction = book.close(entry);
  const webhookEvents =
    direction === 'in'
      ? pointsEarned(transaction, { basePoints: 0, campaignPoints: 0, activatesAt: null })
      : [];
  return exchangeDecision({ ...page, member, record, webhookEvents });
}
