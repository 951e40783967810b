import type { UnenrollMemberInput } from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import { Book } from '../../ledger/books/book.ts';
import { settle } from '../../ledger/books/settle.ts';
import type { State } from '../../ledger/state.ts';
import type { ConsentRecord } from '../../ledger/tables/consent-records.ts';
import type { MemberRecord } from '../../ledger/tables/members.ts';
import type { ProfileRecord } from '../../ledger/tables/program-profiles.ts';
import type { QuoteRecord } from '../../ledger/tables/redemption-quotes.ts';
import { memberNotFound, profileNotFound, programNotFound, type Refusal, refuse } from '../../refusal.ts';
import { bookedDecision, type OwnDecision } from '../shared/booked-decision.ts';
import { type Caller, envelope } from '../shared/caller.ts';
import { openGrants } from '../shared/open-grants.ts';
import type { CommandOf, DecisionOf } from '../shared/operation-command.ts';

/**
 * Ends a member's enrollment once every balance is zero (specification, `DELETE` enrollment). The profile is settled
 * first, so that holds and lots that are due expire. Open quotes are cancelled, and unused choices expire. Allowed
 * while Production is locked. Refusals: `program_not_found`, `member_not_found`, `profile_not_found`,
 * `balance_not_zero`, `reservation_open`.
 */
export function unenrollMember(input: UnenrollMemberInput, caller: Caller): CommandOf<'unenrollMember'> {
  const { programId, externalCustomerId } = input;
  return {
    ...envelope('unenrollMember', input, caller),
    laneKey: externalCustomerId,
    allowedWhileLocked: true,
    subjects: [
      { kind: 'member', externalCustomerId },
      { kind: 'profile', programId, externalCustomerId },
      { kind: 'points', programId, externalCustomerId, points: 0 },
      { kind: 'openQuotes', programId, externalCustomerId },
      { kind: 'choiceGrants', externalCustomerId },
    ],
    decide: (state, now) => decide(input, caller, state, now),
  };
}

function decide(
  input: UnenrollMemberInput,
  caller: Caller,
  state: State,
  now: Date,
): DecisionOf<'unenrollMember'> {
  const { programId, externalCustomerId, noticeVersion, reason } = input;
  if (!state.program(programId)) {
    return programNotFound;
  }
  // A suspended member may leave; only an unknown or erased one is refused.
  const member = state.member(externalCustomerId);
  if (!member || member.status === 'erased') {
    return memberNotFound;
  }
  const profile = state.profile(programId, externalCustomerId);
  if (!profile) return profileNotFound;
  const book = new Book(profile, state, now);
  const settled = settle(book, state.loadedPoints(programId, externalCustomerId), state);
  const refusal = refusePoints(book.profile);
  if (refusal) return refusal;
  const memberId = toTypeId('mem', member.id);
  return bookedDecision(book, settled, {
    receipt: { program: { programId, status: 'unenrolled' } },
    ...leaving({ book, member, state, caller, consent: { noticeVersion, evidence: input.evidence, reason } }),
    audits: [
      {
        action: profile.enrolled ? 'member.unenrolled' : 'member.consent_withdrawn_again',
        targetType: 'member',
        targetId: memberId,
        changes: { programId, noticeVersion },
      },
    ],
    webhookEvents: profile.enrolled
      ? [{ type: 'member.unenrolled', data: { memberId, externalCustomerId, programId, reason } }]
      : [],
  });
}

/** A member that leaves a program in which it has no points any more. */
interface Leaving {
  book: Book;
  member: MemberRecord;
  state: State;
  caller: Caller;
  consent: Pick<ConsentRecord, 'noticeVersion' | 'evidence' | 'reason'>;
}

/** Ends an enrollment in the book: consent is withdrawn, open quotes are cancelled, unused choices expire. */
export function leaving({
  book,
  member,
  state,
  caller,
  consent,
}: Leaving): Required<Pick<OwnDecision, 'inserts' | 'updates'>> {
  const { now } = book;
  const { programId, enrolled } = book.profile;
  const { externalCustomerId } = member;
  if (enrolled) book.setProfile({ enrolled: false, unenrolledAt: now, nextDueAt: null });
  const { requestId } = caller;
  const withdrawn = { id: state.newId(), memberId: member.id, programId, status: 'withdrawn' } as const;
  return {
    inserts: { consents: [{ ...withdrawn, ...consent, requestId, at: now }] },
    updates: {
      quotes: state.openQuotes(programId, externalCustomerId).map((quote) => closed(quote, now)),
      choiceGrants: openGrants(state, externalCustomerId)
        .filter((grant) => grant.programId === programId)
        .map((grant) => ({ ...grant, state: 'expired' as const })),
    },
  };
}

function refusePoints({
  available,
  pending,
  reserved,
}: ProfileRecord): Refusal<'balance_not_zero' | 'reservation_open'> | null {
  if (available > 0 || pending > 0) {
    return refuse(
      'balance_not_zero',
      `${available} points are available and ${pending} pending: they must be spent or expire first.`,
    );
  }
  if (reserved === 0) return null;
  return refuse('reservation_open', `${reserved} points are reserved: release or commit them first.`);
}

function closed(quote: QuoteRecord, now: Date): QuoteRecord {
  return { ...quote, state: quote.expiresAt <= now ? 'expired' : 'cancelled' };
}
