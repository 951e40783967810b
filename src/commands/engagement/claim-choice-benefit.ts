import type { ClaimChoiceBenefitInput } from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import type { State } from '../../ledger/state.ts';
import type { ChoiceClaimRecord } from '../../ledger/tables/choice-claims.ts';
import { isActive, type MemberRecord } from '../../ledger/tables/members.ts';
import type { ChoiceReward } from '../../programs/document/engagement-document.ts';
import { versionAt } from '../../programs/published/published-program.ts';
import { refuse } from '../../refusal.ts';
import { type Caller, envelope } from '../shared/caller.ts';
import { findChoiceSet } from '../shared/choice-grants.ts';
import { noActiveMember } from '../shared/no-active-member.ts';
import { openGrants } from '../shared/open-grants.ts';
import type { CommandOf, DecisionOf } from '../shared/operation-command.ts';
import { repeatedDecision } from '../shared/receipts.ts';
import { refuseErased } from '../shared/refuse-erased.ts';
import { choiceCounterId, choiceDecision, everOffers } from './choice-claim.ts';

/**
 * Claims one of a choice set's benefits out of the oldest grant that allows it; no points are spent (specification,
 * `POST /choice-benefits`, GraphQL `claimChoiceBenefit`). Where the reference was already used for the same claim, the
 * command returns the receipt of that claim. Refusals: `member_not_found`, `source_reference_conflict`,
 * `choice_set_not_found`, `reward_not_found`, `enrollment_required`, `no_choice_left`, `inventory_exhausted`.
 */
export function claimChoiceBenefit(
  input: ClaimChoiceBenefitInput,
  caller: Caller,
): CommandOf<'claimChoiceBenefit'> {
  const { externalCustomerId, choiceSetId, rewardId, sourceReference } = input;
  const counterId = choiceCounterId(choiceSetId, rewardId);
  return {
    ...envelope('claimChoiceBenefit', input, caller),
    repeatsWhileLocked: true,
    laneKey: externalCustomerId,
    subjects: [
      { kind: 'member', externalCustomerId },
      { kind: 'profiles', externalCustomerId },
      { kind: 'choiceGrants', externalCustomerId },
      { kind: 'choiceClaim', sourceReference },
      {
        kind: 'sharedCounters',
        programId: null,
        counterIds: (program) => (everOffers(program, choiceSetId, rewardId) ? [counterId] : []),
      },
    ],
    decide: (state, now) => decide(input, state, now),
  };
}

function decide(input: ClaimChoiceBenefitInput, state: State, now: Date): DecisionOf<'claimChoiceBenefit'> {
  const { externalCustomerId, choiceSetId, rewardId, sourceReference } = input;
  const member = state.member(externalCustomerId);
  if (!isActive(member)) return noActiveMember;
  const earlier = state.row('choiceClaims', sourceReference);
  if (earlier) return repeated(earlier, input, member, state);
  const erased = refuseErased('source_reference_conflict', state, 'choiceClaim', sourceReference);
  if (erased) return erased;
  const sets = state.programs().flatMap((program) => {
    const version = versionAt(program, now);
    const set = version && findChoiceSet(version.document, choiceSetId);
    return set ? [{ programId: program.programId, set }] : [];
  });
  if (sets.length === 0) {
    return refuse('choice_set_not_found', 'No published program of this environment has this choice set.');
  }
  const offers = sets.flatMap(({ programId, set }) => {
    const reward = set.rewards.find(({ id }) => id === rewardId);
    return reward ? [{ programId, reward }] : [];
  });
  if (offers.length === 0) return refuse('reward_not_found', 'The choice set has no reward of this id.');
  const enrolledOffers = offers.filter(
    ({ programId }) => state.profile(programId, externalCustomerId)?.enrolled,
  );
  if (enrolledOffers.length === 0) {
    return refuse('enrollment_required', "The member is not enrolled in the choice set's program.");
  }
  return choose(input, member, enrolledOffers, state, now);
}

/** A reward of the choice set, in a program that the member is enrolled in. */
interface Offer {
  programId: string;
  reward: ChoiceReward;
}

function choose(
  input: ClaimChoiceBenefitInput,
  member: MemberRecord,
  offers: readonly Offer[],
  state: State,
  now: Date,
): DecisionOf<'claimChoiceBenefit'> {
  const { choiceSetId, rewardId } = input;
  const usable = openGrants(state, member.externalCustomerId).filter(
    (grant) => grant.choiceSetId === choiceSetId && (!grant.expiresAt || grant.expiresAt > now),
  );
  const claims = state.rowsOf('choiceClaims', { externalCustomerId: member.externalCustomerId });
  const allowed = usable.flatMap((grant) => {
    const offer = offers.find(({ programId }) => programId === grant.programId);
    const hasClaim = claims.some((claim) => claim.grantId === grant.id && claim.rewardId === rewardId);
    return offer && (offer.reward.repeatable || !hasClaim) ? [{ grant, offer }] : [];
  });
  if (allowed.length === 0) {
    return refuse(
      'no_choice_left',
      usable.length === 0
        ? 'The member has no choice left in this set.'
        : 'The member has chosen this reward already: it can be chosen once of each grant.',
    );
  }
  const takenOf = (programId: string): number =>
    state.sharedCounter(programId, choiceCounterId(choiceSetId, rewardId))?.taken ?? 0;
  const inStock = allowed.find(({ offer: { programId, reward } }) => {
    return reward.inventory === undefined || takenOf(programId) < reward.inventory;
  });
  if (!inStock) return refuse('inventory_exhausted', 'Nothing is left of this reward.');
  const { grant, offer } = inStock;
  const others = usable.filter(({ id, programId }) => id !== grant.id && programId === grant.programId);
  const { sourceReference } = input;
  return choiceDecision(
    {
      sourceReference,
      grant,
      reward: offer.reward,
      stockTaken: takenOf(grant.programId),
      remaining: others.reduce((sum, other) => sum + other.remaining, grant.remaining - 1),
    },
    state,
    now,
  );
}

function repeated(
  earlier: ChoiceClaimRecord,
  { choiceSetId, rewardId }: ClaimChoiceBenefitInput,
  member: MemberRecord,
  state: State,
): DecisionOf<'claimChoiceBenefit'> {
  const same =
    state.isOf(earlier.memberId, member) &&
    earlier.choiceSetId === choiceSetId &&
    earlier.rewardId === rewardId;
  return same
    ? repeatedDecision(earlier.receipt)
    : refuse(
        'source_reference_conflict',
        `This sourceReference names another claim: ${toTypeId('chc', earlier.id)}.`,
      );
}
