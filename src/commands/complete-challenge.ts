import { toTypeId } from '../ids.ts';
import { type Book, transactionId } from '../ledger/book.ts';
import type { AuditEntry, State, WebhookEvent } from '../ledger/command.ts';
import type { ChoiceGrantRecord, CustomEventRecord, MemberRecord, ProfileRecord } from '../ledger/records.ts';
import type { ProgramDocument } from '../programs/program-document.ts';
import type { Advance } from '../rules/challenges.ts';
import { lotDates } from '../rules/lot-dates.ts';
import { findChoiceSet, grantOf } from './choice-grants.ts';

/** What a completed challenge gave (SDL type ChallengeAward). */
export interface ChallengeAward {
  programId: string;
  challengeId: string;
  transactionId: string | null;
  points: number;
  choiceSetId: string | null;
}

/** What an event means for one program. */
export interface EventCase {
  event: Pick<CustomEventRecord, 'id' | 'sourceReference' | 'type' | 'occurredAt'>;
  attributes: Readonly<Record<string, unknown>> | null;
  member: MemberRecord;
  profile: ProfileRecord;
  /** The program's version in effect. */
  document: ProgramDocument;
  state: State;
  now: Date;
}

/** What one completion comes to, beside what its book has posted. */
export interface Completion {
  award: ChallengeAward;
  grants: ChoiceGrantRecord[];
  audit: AuditEntry;
  webhookEvents: WebhookEvent[];
}

/** Posts the award of one completion, and grants its choices. @param number of the completion, within its window */
export function completeChallenge(
  one: EventCase,
  book: Book,
  { challenge, progress }: Advance,
  number: number,
): Completion {
  const { event, member, profile, document, state, now } = one;
  const { programId } = profile;
  const points = challenge.award?.points ?? 0;
  const transaction = points > 0 ? postAward(one, book, points) : null;
  const set = challenge.grants ? findChoiceSet(document, challenge.grants.choiceSetId) : null;
  const grantee = { member, programId, now, newId: () => state.newId() };
  const grants = set ? [grantOf(set, milestone(challenge.id, progress.windowStart, number), grantee)] : [];
  const award: ChallengeAward = {
    programId,
    challengeId: challenge.id,
    transactionId: transaction ? transactionId(transaction) : null,
    points,
    choiceSetId: set?.id ?? null,
  };
  const { sourceReference, occurredAt } = event;
  const { externalCustomerId } = member;
  return {
    award,
    grants,
    audit: {
      action: 'challenge.completed',
      targetType: transaction ? 'transaction' : 'custom_event',
      targetId: transaction ? transactionId(transaction) : toTypeId('evt', event.id),
      changes: { ...award, sourceReference },
    },
    webhookEvents: transaction
      ? [
          {
            type: 'points.earned',
            data: {
              transactionId: award.transactionId,
              programId,
              memberId: toTypeId('mem', member.id),
              externalCustomerId,
              sourceReference,
              challengeId: challenge.id,
              points,
              occurredAt: occurredAt.toISOString(),
            },
          },
        ]
      : [],
  };
}

function postAward({ event, document, now }: EventCase, book: Book, points: number) {
  const { sourceReference, occurredAt } = event;
  const entry = book.open({ eventType: 'challenge.awarded', sourceReference, occurredAt });
  const dates = lotDates(document, occurredAt, now);
  const lot = book.addLot(entry, points, dates);
  book.move(
    entry,
    lot.id,
    'program.issuance',
    dates.activatesAt ? 'member.pending' : 'member.available',
    points,
  );
  return book.close(entry);
}

/** What a completion is called as a milestone: windows number their completions each from 1. */
function milestone(challengeId: string, windowStart: Date, number: number): string {
  const window = windowStart.getTime() === 0 ? '' : `@${windowStart.toISOString()}`;
  return `challenge:${challengeId}#${number}${window}`;
}
