import { claimChoiceBenefit } from '../../src/commands/engagement/claim-choice-benefit.ts';
import { operation, type Surroundings } from '../client/intent.ts';
import { grantsOf, isOpen, remainingOf } from '../model/choices.ts';
import type { ModelGrant } from '../model/grant.ts';
import { type Model, nameOf, type Prediction } from '../model/model.ts';
import type { Moment } from '../model/moment.ts';
import { CHOICE_SETS, CHOICES, type PlainChoiceReward } from '../programs/engagement.ts';

interface Input {
  externalCustomerId: string;
  choiceSetId: string;
  rewardId: string;
  sourceReference: string;
}

export const claimChoiceBenefitOperation = operation<Input>({
  name: 'claimChoiceBenefit',
  weight: 20,
  repeatsWhileLocked: true,
  invent(surroundings) {
    const { random, customers, memory } = surroundings;
    const again = random.chance(0.08) ? memory.pick('claim', random, customers) : null;
    const [choiceSetId, rewardId] = again?.of?.split(' ') ?? [];
    const same = choiceSetId && rewardId && random.chance(0.7) ? { choiceSetId, rewardId } : invent(random);
    return {
      externalCustomerId: again?.externalCustomerId ?? someoneWithChoices(surroundings),
      ...same,
      sourceReference: again?.id ?? surroundings.newReference('claim'),
    };
  },
  alter: (input, random) => ({ ...input, sourceReference: `${input.sourceReference}-${random.next()}` }),
  command: claimChoiceBenefit,
  predict,
});

function invent(random: Surroundings['random']): Pick<Input, 'choiceSetId' | 'rewardId'> {
  return {
    choiceSetId: random.chance(0.03) ? 'nothing' : random.pick(CHOICE_SETS),
    rewardId: random.chance(0.03) ? 'nothing' : random.pick(CHOICES),
  };
}

/** A customer, mostly one with an open choice grant. */
function someoneWithChoices({ random, customers, model, now }: Surroundings): string {
  const asked = Array.from({ length: random.chance(0.2) ? 1 : 5 }, () => random.pick(customers));
  const hasSome = (customer: string): boolean =>
    grantsOf(model, customer).some((each) => isOpen(each, now.getTime()));
  return asked.find(hasSome) ?? (asked[0] as string);
}

interface Offer {
  programId: string;
  reward: PlainChoiceReward;
}

function predict(model: Model, input: Input, { now }: Moment): Prediction {
  const { externalCustomerId, choiceSetId, rewardId, sourceReference } = input;
  if (!model.isActive(externalCustomerId)) return { code: 'member_not_found' };
  const claimed = `${externalCustomerId} ${choiceSetId} ${rewardId}`;
  const earlier = model.claims.get(sourceReference);
  if (earlier) {
    return earlier.claimed === claimed
      ? { receipt: earlier.receipt, repeated: true }
      : { code: 'source_reference_conflict' };
  }
  const sets = [...model.programs.keys()].flatMap((programId) => {
    const all = model.versionAt(programId, now)?.program.choiceSets ?? [];
    return all.filter(({ id }) => id === choiceSetId).map((set) => ({ programId, set }));
  });
  if (sets.length === 0) return { code: 'choice_set_not_found' };
  const offers = sets.flatMap(({ programId, set }): Offer[] => {
    const reward = set.rewards.find(({ id }) => id === rewardId);
    return reward ? [{ programId, reward }] : [];
  });
  if (offers.length === 0) return { code: 'reward_not_found' };
  const enrolledOffers = offers.filter(
    ({ programId }) => model.profiles.get(nameOf(programId, externalCustomerId))?.enrolled,
  );
  if (enrolledOffers.length === 0) return { code: 'enrollment_required' };

  const open = grantsOf(model, externalCustomerId).filter(
    (each) => each.choiceSetId === choiceSetId && isOpen(each, now.getTime()),
  );
  const allowing = open.filter((each) => {
    const reward = enrolledOffers.find(({ programId }) => programId === each.programId)?.reward;
    return reward && (reward.repeatable || !each.chosen.includes(rewardId));
  });
  if (allowing.length === 0) return { code: 'no_choice_left' };
  const counter = (programId: string): string => `${programId} choice:${choiceSetId}/${rewardId}`;
  const chosen = allowing.find(({ programId }) => {
    const inventory = enrolledOffers.find((offer) => offer.programId === programId)?.reward.inventory ?? null;
    return inventory === null || (model.shared.get(counter(programId)) ?? 0) < inventory;
  });
  if (!chosen) return { code: 'inventory_exhausted' };
  const then: ModelGrant = { ...chosen, chosen: [...chosen.chosen, rewardId] };
  const { programId } = chosen;
  const name = nameOf(programId, externalCustomerId);
  const grants = model.grants.get(name) ?? [];
  model.grants.set(
    name,
    grants.map((each) => (each === chosen ? then : each)),
  );
  model.shared.set(counter(programId), (model.shared.get(counter(programId)) ?? 0) + 1);
  const choicesRemaining = open
    .filter((each) => each.programId === programId)
    .reduce((sum, each) => sum + remainingOf(each), -1);
  const choice = { setId: choiceSetId, rewardId, rewardName: `a ${rewardId}`, choicesRemaining };
  const receipt = { state: 'fulfilled', choice };
  model.claims.set(sourceReference, { claimed, receipt });
  return { receipt };
}
