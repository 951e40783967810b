import type {
  ChallengeProgressRecord,
  ChoiceClaimRecord,
  ChoiceGrantRecord,
  CustomEventRecord,
  SharedCounterRecord,
} from './records.ts';

/** Rows of engagement, and the records that the pure core knows them by. */

export interface SharedCounterRow {
  program_id: string;
  counter_id: string;
  taken: number;
}

export function sharedCounterOf(row: SharedCounterRow): SharedCounterRecord {
  return {
    programId: row.program_id,
    counterId: row.counter_id,
    taken: row.taken,
  };
}

export interface CustomEventRow {
  id: string;
  source_reference: string;
  type: string;
  member_id: string;
  attributes: object | null;
  occurred_at: Date;
  received_at: Date;
  receipt: object;
}

export function customEventOf(row: CustomEventRow): CustomEventRecord {
  return {
    id: row.id,
    sourceReference: row.source_reference,
    type: row.type,
    memberId: row.member_id,
    attributes: row.attributes,
    occurredAt: row.occurred_at,
    receivedAt: row.received_at,
    receipt: row.receipt,
  };
}

export interface ChallengeProgressRow {
  program_id: string;
  member_id: string;
  challenge_id: string;
  window_start: Date;
  reached: number;
  completions: number;
  goal: string | null;
}

export function challengeProgressOf(row: ChallengeProgressRow): ChallengeProgressRecord {
  return {
    programId: row.program_id,
    memberId: row.member_id,
    challengeId: row.challenge_id,
    windowStart: row.window_start,
    reached: row.reached,
    completions: row.completions,
    goal: row.goal,
  };
}

export interface ChoiceGrantRow {
  id: string;
  program_id: string;
  member_id: string;
  choice_set_id: string;
  granted_by: string;
  choices: number;
  remaining: number;
  state: ChoiceGrantRecord['state'];
  granted_at: Date;
  expires_at: Date | null;
}

export function choiceGrantOf(row: ChoiceGrantRow): ChoiceGrantRecord {
  return {
    id: row.id,
    programId: row.program_id,
    memberId: row.member_id,
    choiceSetId: row.choice_set_id,
    grantedBy: row.granted_by,
    choices: row.choices,
    remaining: row.remaining,
    state: row.state,
    grantedAt: row.granted_at,
    expiresAt: row.expires_at,
  };
}

export interface ChoiceClaimRow {
  id: string;
  source_reference: string;
  grant_id: string;
  program_id: string;
  member_id: string;
  choice_set_id: string;
  reward_id: string;
  claimed_at: Date;
  receipt: object;
}

export function choiceClaimOf(row: ChoiceClaimRow): ChoiceClaimRecord {
  return {
    id: row.id,
    sourceReference: row.source_reference,
    grantId: row.grant_id,
    programId: row.program_id,
    memberId: row.member_id,
    choiceSetId: row.choice_set_id,
    rewardId: row.reward_id,
    claimedAt: row.claimed_at,
    receipt: row.receipt,
  };
}
