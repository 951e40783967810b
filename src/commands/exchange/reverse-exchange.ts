import type { Book } from '../../ledger/books/book.ts';
import { takeCredit } from '../../ledger/books/lent-points.ts';
import { lotAmounts } from '../../ledger/books/lot-amounts.ts';
import { restorePoints } from '../../ledger/books/restore-points.ts';
import type { Command, Decision } from '../../ledger/command.ts';
import type { State } from '../../ledger/state.ts';
import type { SettlementRecord } from '../../ledger/tables/exchange-settlements.ts';
import type { MemberRecord } from '../../ledger/tables/members.ts';
import { isActive } from '../../ledger/tables/members.ts';
import type { TransactionRecord } from '../../ledger/tables/transactions.ts';
import { type Detail, isRefusal, programNotFound, type Refusal, refuse } from '../../refusal.ts';
import { refuseOverflow, refuseShortage } from '../shared/balance-limit.ts';
import { type Caller, importEnvelope } from '../shared/caller.ts';
import { graceDaysAt } from '../shared/grace-days.ts';
import { noActiveMember } from '../shared/no-active-member.ts';
import {
  type ExchangeInput,
  type ExchangeReceipt,
  exchangeDecision,
  exchangeSubjects,
  refuseOutsider,
  refuseRecorded,
  settledBook,
} from './exchange-decision.ts';

/** The reversal of a settlement, under a reference of its own. */
export interface ReverseExchangeInput extends ExchangeInput {
  /** The reference of the settlement. */
  reverses: string;
  /** Where they are given, the settlement has to have the same. */
  partnerId?: string | undefined;
  points?: number | undefined;
}

/**
 * Reverses a settlement with a partner as a whole, once. Points that came in are taken back as those of a reversed
 * credit are: out of their own lot and, for what that lot lacks, out of the member's other lots, which it then owes
 * (`lent` of a lot). Where the member has fewer available points, nothing is taken. Points that went out are given back
 * to their lots. Refusals: `program_not_found`, `member_not_found`, `source_reference_conflict`,
 * `settlement_not_found`, `invalid_settlement_state`, `validation_failed` where it differs from the settlement,
 * `enrollment_required`; of points that came in `insufficient_points`, of points that went out
 * `balance_limit_exceeded`.
 */
export function reverseExchange(input: ReverseExchangeInput, caller: Caller): Command<ExchangeReceipt> {
  return {
    ...importEnvelope('reverseExchange', input, caller),
    laneKey: input.externalCustomerId,
    subjects: [
      ...exchangeSubjects(input, input.points ?? Number.MAX_SAFE_INTEGER),
      { kind: 'exchangeSettlement', settlementReference: input.reverses },
    ],
    decide: (state, now) => decide(input, state, now),
  };
}

function decide(input: ReverseExchangeInput, state: State, now: Date): Decision<ExchangeReceipt> | Refusal {
  const { programId, externalCustomerId, settlementReference } = input;
  if (!state.program(programId)) {
    return programNotFound;
  }
  const member = state.member(externalCustomerId);
  if (!member) return noActiveMember;
  const settlement = standing(input, member, state);
  if (isRefusal(settlement)) return settlement;
  const { direction, points, transactionId: reversalOf } = settlement;
  // As for adjustments: points may be taken from a member who is suspended, but none may enter.
  if (direction === 'out' && !isActive(member)) return noActiveMember;
  const outside = refuseOutsider(input, state);
  if (outside) return outside;
  const page = settledBook(input, state, now);
  const impossible = (direction === 'in' ? refuseShortage : refuseOverflow)(page.book.profile, points);
  if (impossible) return impossible;
  const transaction = postReversal(input, page.book, settlement, state);
  const record: SettlementRecord = {
    ...settlement,
    settlementReference,
    transactionId: transaction.id,
    reverses: input.reverses,
    createdAt: now,
  };
  return exchangeDecision({
    ...page,
    member,
    record,
    updates: {
      transactions: [{ id: reversalOf, state: 'reversed', reversedBy: transaction.id }],
      exchangeSettlements: [{ ...settlement, reversedBy: settlementReference }],
    },
  });
}

function postReversal(
  { programId, externalCustomerId, settlementReference }: ReverseExchangeInput,
  book: Book,
  { direction, transactionId: reversalOf }: SettlementRecord,
  state: State,
): TransactionRecord {
  const entry = book.open({
    eventType: 'exchange.reversed',
    sourceReference: settlementReference,
    reversalOf,
  });
  const exchanged = lotAmounts(state, reversalOf);
  if (direction === 'out') {
    const graceDays = graceDaysAt(state.program(programId), book.now);
    return restorePoints(book, entry, exchanged, 'program.clearing', graceDays);
  }
  const loaded = state.loadedPoints(programId, externalCustomerId);
  for (const granted of exchanged) takeCredit(book, entry, loaded, granted, 'program.clearing');
  return book.close(entry);
}

/** The settlement that the input names, where it can be reversed. */
function standing(
  input: ReverseExchangeInput,
  member: MemberRecord,
  state: State,
): SettlementRecord | Refusal {
  const recorded = refuseRecorded(input, state);
  if (recorded) return recorded;
  const settlement = state.row('exchangeSettlements', input.reverses);
  if (!settlement || !state.isOf(settlement.memberId, member) || settlement.programId !== input.programId) {
    return refuse(
      'settlement_not_found',
      'The member has no settlement of the reference in reverses in this program.',
    );
  }
  if (settlement.reverses !== null) {
    return refuse('invalid_settlement_state', 'The settlement in reverses is itself a reversal.');
  }
  if (settlement.reversedBy !== null) {
    return refuse('invalid_settlement_state', `The settlement was reversed by ${settlement.reversedBy}.`);
  }
  const details = (['partnerId', 'points'] as const).flatMap((path): Detail[] => {
    const value = input[path];
    if (value === undefined || value === settlement[path]) return [];
    return [{ path, message: `must be ${settlement[path]}, as in the settlement` }];
  });
  if (details.length === 0) return settlement;
  return refuse('validation_failed', 'A settlement is reversed as a whole, as it was made.', details);
}
