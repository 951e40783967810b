import type { Receipt } from '../../contract/receipt.ts';
import { toTypeId } from '../../ids.ts';
import type { Decision } from '../../ledger/command.ts';
import type { State } from '../../ledger/state.ts';
import type { ChoiceGrantRecord } from '../../ledger/tables/choice-grants.ts';
import type { SharedCounterRecord } from '../../ledger/tables/shared-counters.ts';
import type { ChoiceReward } from '../../programs/document/engagement-document.ts';
import type { PublishedProgram } from '../../programs/published/published-program.ts';
import { findChoiceSet } from '../shared/choice-grants.ts';

/**
 * Name of the counter of how often a reward of a choice set was chosen, by all members. Ids may contain any character:
 * slashes in the first one are escaped, so that no two pairs share a counter.
 */
export function choiceCounterId(choiceSetId: string, rewardId: string): string {
  return `choice:${choiceSetId.replaceAll('%', '%25').replaceAll('/', '%2F')}/${rewardId}`;
}

/** Whether any published version of a program, in effect or not, has the reward in the choice set. */
export function everOffers({ versions }: PublishedProgram, choiceSetId: string, rewardId: string): boolean {
  return versions.some(({ document }) =>
    findChoiceSet(document, choiceSetId)?.rewards.some(({ id }) => id === rewardId),
  );
}

/** A choice that a member makes. */
export interface Choice {
  sourceReference: string;
  /** The grant that it uses. */
  grant: ChoiceGrantRecord;
  reward: ChoiceReward;
  /** How often the reward was chosen before, by all members. */
  stockTaken: number;
  /** Choices that the member has left in the set, after this one. */
  remaining: number;
}

/** The decision that writes a choice: the claim with its receipt, the grant after it, and the reward's counter. */
export function choiceDecision(
  { sourceReference, grant, reward, stockTaken, remaining }: Choice,
  state: State,
  now: Date,
): Decision<Receipt<'claimChoiceBenefit'>> {
  const { programId, memberId, choiceSetId } = grant;
  const id = state.newId();
  const receipt: Receipt<'claimChoiceBenefit'> = {
    id: toTypeId('chc', id),
    state: 'fulfilled',
    choice: { setId: choiceSetId, rewardId: reward.id, rewardName: reward.name, choicesRemaining: remaining },
  };
  const remainingChoices = grant.remaining - 1;
  const counter: SharedCounterRecord = {
    programId,
    counterId: choiceCounterId(choiceSetId, reward.id),
    taken: stockTaken + 1,
  };
  return {
    receipt,
    inserts: {
      choiceClaims: [
        {
          id,
          sourceReference,
          grantId: grant.id,
          programId,
          memberId,
          choiceSetId,
          rewardId: reward.id,
          claimedAt: now,
          receipt,
        },
      ],
    },
    updates: {
      choiceGrants: [
        { ...grant, remaining: remainingChoices, state: remainingChoices === 0 ? 'exhausted' : 'open' },
      ],
      sharedCounters: [counter],
    },
    audits: [
      {
        action: 'choice.fulfilled',
        targetType: 'choice_claim',
        targetId: receipt.id,
        changes: { programId, choiceSetId, rewardId: reward.id, grantedBy: grant.grantedBy },
      },
    ],
    webhookEvents: [],
  };
}
