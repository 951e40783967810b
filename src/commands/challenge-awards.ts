import { Book } from '../ledger/book.ts';
import type { Decision } from '../ledger/command.ts';
import type { ChallengeProgressRecord } from '../ledger/records.ts';
import { settle } from '../ledger/settle.ts';
import type { Refusal } from '../refusal.ts';
import { advanceChallenges } from '../rules/challenges.ts';
import { memberFactsOf } from '../rules/member-facts.ts';
import { standingAt } from '../rules/standing.ts';
import { refuseOverflow } from './balance-limit.ts';
import { type ChallengeAward, completeChallenge, type EventCase } from './complete-challenge.ts';

/** What of an event's decision belongs to one program. */
export interface ProgramAwards extends Pick<Decision, 'inserts' | 'updates' | 'audits' | 'webhookEvents'> {
  awards: ChallengeAward[];
}

/**
 * Advances the challenges of one program in which the member is enrolled, and posts what they award: each completion
 * a transaction with a lot under the program's policies, and a grant of choices where it has any. Refusals:
 * `balance_limit_exceeded`.
 * @returns null where the event counts for nothing here
 */
export function challengeAwards(one: EventCase): ProgramAwards | Refusal | null {
  const { event, attributes, member, profile, document, state, now } = one;
  const { programId } = profile;
  const rows = state.challengeProgress(member.externalCustomerId);
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
  // Points under an inactivity policy live on from an award; what was over before stays over, swept or not.
  const holding = points > 0 ? state.dueHolding(programId, member.externalCustomerId) : null;
  const settled = holding ? settle(book, holding, state) : null;
  if (points > 0) book.setProfile({ lastActivityAt: now });
  const completions = advances.flatMap((advance) =>
    advance.completed.map((number) => completeChallenge(one, book, advance, number)),
  );
  const written = book.written();
  return {
    awards: completions.map(({ award }) => award),
    inserts: { ...written.inserts, choiceGrants: completions.flatMap(({ grants }) => grants) },
    updates: {
      ...written.updates,
      reservations: settled?.reservations ?? [],
      stocks: [...(settled?.stocks.values() ?? [])],
      challengeProgress: advances.map(
        ({ challenge, progress }): ChallengeProgressRecord => ({
          programId,
          memberId: member.id,
          challengeId: challenge.id,
          ...progress,
        }),
      ),
    },
    audits: [...book.audits, ...completions.map(({ audit }) => audit)],
    webhookEvents: [...book.webhookEvents, ...completions.flatMap(({ webhookEvents }) => webhookEvents)],
  };
}
