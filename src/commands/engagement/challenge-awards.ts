import { toTypeId } from '../../ids.ts';
import { Book, issueLot, transactionId } from '../../ledger/books/book.ts';
import { noHoldChanges } from '../../ledger/books/holds.ts';
import { settleDue } from '../../ledger/books/settle.ts';
import { type DecisionPart, mergeDecisions } from '../../ledger/merge-decisions.ts';
import type { State } from '../../ledger/state.ts';
import type { ChallengeProgressRecord } from '../../ledger/tables/challenge-progress.ts';
import type { CustomEventRecord } from '../../ledger/tables/custom-events.ts';
import type { MemberRecord } from '../../ledger/tables/members.ts';
import type { ProfileRecord } from '../../ledger/tables/program-profiles.ts';
import type { TransactionRecord } from '../../ledger/tables/transactions.ts';
import type { ProgramDocument } from '../../programs/document/program-document.ts';
import type { Refusal } from '../../refusal.ts';
import { type LotDates, lotDates } from '../../rules/calendar/lot-dates.ts';
import { type Advance, advanceChallenges } from '../../rules/challenges.ts';
import { memberFactsOf } from '../../rules/conditions/member-facts.ts';
import { standingAt } from '../../rules/standing.ts';
import { refuseOverflow } from '../shared/balance-limit.ts';
import { bookedParts } from '../shared/booked-decision.ts';
import { findChoiceSet, grantChoices, grantOf } from '../shared/choice-grants.ts';
import { pointsEarned } from '../shared/points-earned.ts';

/** What a completed challenge gave (SDL type ChallengeAward). */
export interface ChallengeAward {
  programId: string;
  challengeId: string;
  transactionId: string | null;
  points: number;
  choiceSetId: string | null;
}

/** The input for advancing the challenges of one program: an event, and the member's profile in the program. */
export interface EventCase {
  event: Pick<CustomEventRecord, 'id' | 'sourceReference' | 'type' | 'occurredAt'>;
  attributes: Readonly<Record<string, unknown>> | null;
  member: MemberRecord;
  profile: ProfileRecord;
  /** The document of the version in effect. */
  document: ProgramDocument;
  state: State;
  now: Date;
}

/** The part of an event's decision that belongs to one program. */
export interface ProgramAwards {
  awards: ChallengeAward[];
  decided: DecisionPart;
}

/**
 * Advances the challenges of one program in which the member is enrolled, and posts what they award. Each completion
 * posts a transaction with a lot under the program's policies, and grants the challenge's choice set if it has one.
 * Refusals: `balance_limit_exceeded`.
 * @returns null where the event counts for no challenge of the program
 */
export function challengeAwards(
  eventCase: EventCase,
): ProgramAwards | Refusal<'balance_limit_exceeded'> | null {
  const { event, attributes, member, profile, document, state, now } = eventCase;
  const { programId } = profile;
  const rows = state.rowsOf('challengeProgress', { externalCustomerId: member.externalCustomerId });
  const advances = advanceChallenges(
    document,
    { type: event.type, occurredAt: event.occurredAt, attributes },
    { profile: standingAt(document, profile, now), member: memberFactsOf(profile, member) },
    (challengeId) => rows.filter((row) => row.programId === programId && row.challengeId === challengeId),
    now,
  );
  if (advances.length === 0) return null;
  const points = advances.reduce(
    (sum, { challenge, completed }) => sum + (challenge.award?.points ?? 0) * completed.length,
    0,
  );
  const overflow = refuseOverflow(profile, points);
  if (overflow) return overflow;
  const book = new Book(profile, state, now);
  // An award is activity, which extends lots under an inactivity policy. So lots that have lapsed are expired first.
  const settled = points > 0 ? settleDue(book, member.externalCustomerId, state) : noHoldChanges;
  if (points > 0) book.setProfile({ lastActivityAt: now });
  const completions = advances.flatMap((advance) =>
    advance.completed.map((number) => completeChallenge(eventCase, book, advance, number)),
  );
  const challengeProgress = advances.map(
    ({ challenge, progress }): ChallengeProgressRecord => ({
      programId,
      memberId: member.id,
      challengeId: challenge.id,
      ...progress,
    }),
  );
  return {
    awards: completions.map(({ award }) => award),
    decided: mergeDecisions(
      ...bookedParts(book, settled),
      { updates: { challengeProgress } },
      ...completions.map(({ decided }) => decided),
    ),
  };
}

/** One completion: its award, and what is written besides its postings. */
interface Completion {
  award: ChallengeAward;
  decided: DecisionPart;
}

/**
 * Posts the award of one completion, and grants its choices.
 * @param number the number of the completion within its window, from 1
 */
function completeChallenge(
  eventCase: EventCase,
  book: Book,
  { challenge, progress }: Advance,
  number: number,
): Completion {
  const { event, member, profile, document, state, now } = eventCase;
  const { programId } = profile;
  const points = challenge.award?.points ?? 0;
  const dates = lotDates(document, event.occurredAt, now);
  const transaction = points > 0 ? postAward(event, dates, book, points) : null;
  const set = challenge.grants ? findChoiceSet(document, challenge.grants.choiceSetId) : null;
  const grantee = { member, programId, now, newId: () => state.newId() };
  const choiceGrants = set
    ? [grantOf(set, milestone(challenge.id, progress.windowStart, number), grantee)]
    : [];
  const award: ChallengeAward = {
    programId,
    challengeId: challenge.id,
    transactionId: transaction ? transactionId(transaction) : null,
    points,
    choiceSetId: set?.id ?? null,
  };
  const audit = {
    action: 'challenge.completed',
    targetType: transaction ? 'transaction' : 'custom_event',
    targetId: transaction ? transactionId(transaction) : toTypeId('evt', event.id),
    changes: award,
  };
  const parts = {
    basePoints: 0,
    campaignPoints: 0,
    challengeId: challenge.id,
    activatesAt: dates.activatesAt,
  };
  const webhookEvents = transaction ? pointsEarned(transaction, parts) : [];
  return { award, decided: mergeDecisions({ audits: [audit], webhookEvents }, grantChoices(choiceGrants)) };
}

function postAward(
  { sourceReference, occurredAt }: EventCase['event'],
  dates: LotDates,
  book: Book,
  points: number,
): TransactionRecord {
  const entry = book.open({ eventType: 'challenge.awarded', sourceReference, occurredAt });
  issueLot(book, entry, points, dates);
  return book.close(entry);
}

/** The milestone id of a completion, for the grant of choices. Completions are numbered from 1 within each window. */
function milestone(challengeId: string, windowStart: Date, number: number): string {
  const window = windowStart.getTime() === 0 ? '' : `@${windowStart.toISOString()}`;
  return `challenge:${challengeId}#${number}${window}`;
}
