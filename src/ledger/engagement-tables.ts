import type {
  ChallengeProgressRecord,
  ChoiceClaimRecord,
  ChoiceGrantRecord,
  CustomEventRecord,
  SharedCounterRecord,
} from './records.ts';
import { type Table, table } from './table.ts';

/** The tables of engagement and of what members take from together: columns as in the migrations. */

export const sharedCountersTable = table<SharedCounterRecord>(
  'shared_counters',
  ['program_id', 'counter_id'],
  [
    { name: 'program_id', type: 'text', value: (row) => row.programId },
    { name: 'counter_id', type: 'text', value: (row) => row.counterId },
    { name: 'taken', type: 'bigint', value: (row) => row.taken },
  ],
);

export const customEventsTable = table<CustomEventRecord>(
  'custom_events',
  ['id'],
  [
    { name: 'id', type: 'uuid', value: (row) => row.id },
    { name: 'source_reference', type: 'text', value: (row) => row.sourceReference },
    { name: 'type', type: 'text', value: (row) => row.type },
    { name: 'member_id', type: 'uuid', value: (row) => row.memberId },
    { name: 'attributes', type: 'json', value: (row) => row.attributes },
    { name: 'occurred_at', type: 'timestamptz', value: (row) => row.occurredAt },
    { name: 'received_at', type: 'timestamptz', value: (row) => row.receivedAt },
    { name: 'receipt', type: 'json', value: (row) => row.receipt },
  ],
);

export const challengeProgressTable = table<ChallengeProgressRecord>(
  'challenge_progress',
  ['member_id', 'program_id', 'challenge_id', 'window_start'],
  [
    { name: 'program_id', type: 'text', value: (row) => row.programId },
    { name: 'member_id', type: 'uuid', value: (row) => row.memberId },
    { name: 'challenge_id', type: 'text', value: (row) => row.challengeId },
    { name: 'window_start', type: 'timestamptz', value: (row) => row.windowStart },
    { name: 'reached', type: 'bigint', value: (row) => row.reached },
    { name: 'completions', type: 'bigint', value: (row) => row.completions },
    { name: 'goal', type: 'text', value: (row) => row.goal },
  ],
);

const choiceGrants = table<ChoiceGrantRecord>(
  'choice_grants',
  ['id'],
  [
    { name: 'id', type: 'uuid', value: (row) => row.id },
    { name: 'program_id', type: 'text', value: (row) => row.programId },
    { name: 'member_id', type: 'uuid', value: (row) => row.memberId },
    { name: 'choice_set_id', type: 'text', value: (row) => row.choiceSetId },
    { name: 'granted_by', type: 'text', value: (row) => row.grantedBy },
    { name: 'choices', type: 'bigint', value: (row) => row.choices },
    { name: 'remaining', type: 'bigint', value: (row) => row.remaining },
    { name: 'state', type: 'text', value: (row) => row.state },
    { name: 'granted_at', type: 'timestamptz', value: (row) => row.grantedAt },
    { name: 'expires_at', type: 'timestamptz', value: (row) => row.expiresAt },
  ],
);

/** A milestone grants once: where a member comes to a tier again, what it granted then stays as it is. */
export const choiceGrantsTable: Table<ChoiceGrantRecord> = {
  update: choiceGrants.update,
  insert(environmentId, rows) {
    const statement = choiceGrants.insert(environmentId, rows);
    const key =
      '(environment_id, member_id, program_id, choice_set_id, granted_by) where member_id is not null';
    return { ...statement, text: `${statement.text} on conflict ${key} do nothing` };
  },
};

export const choiceClaimsTable = table<ChoiceClaimRecord>(
  'choice_claims',
  ['id'],
  [
    { name: 'id', type: 'uuid', value: (row) => row.id },
    { name: 'source_reference', type: 'text', value: (row) => row.sourceReference },
    { name: 'grant_id', type: 'uuid', value: (row) => row.grantId },
    { name: 'program_id', type: 'text', value: (row) => row.programId },
    { name: 'member_id', type: 'uuid', value: (row) => row.memberId },
    { name: 'choice_set_id', type: 'text', value: (row) => row.choiceSetId },
    { name: 'reward_id', type: 'text', value: (row) => row.rewardId },
    { name: 'claimed_at', type: 'timestamptz', value: (row) => row.claimedAt },
    { name: 'receipt', type: 'json', value: (row) => row.receipt },
  ],
);
