import { changeList, labelMembers, tagMember } from '../../../src/commands/members/label-members.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { operation } from '../../client/intent.ts';
import type { Model, Prediction } from '../../model/model.ts';
import { LABELS } from '../../programs/campaigns.ts';
import type { Random } from '../../random.ts';
import { tellOfState } from './tell-of-state.ts';

interface TagInput {
  externalCustomerId: string;
  tag: string;
}

interface ListInput {
  list: string;
  /** Some of them twice, and at times one who is no member. */
  externalCustomerIds: string[];
}

export const tagMemberOperation = tagging('tagMember', true);
export const untagMemberOperation = tagging('untagMember', false);
export const addToListOperation = listing('addToList', true);
export const removeFromListOperation = listing('removeFromList', false);

/** An operator puts tags on a member. */
export const labelMembersOperation = operation<TagInput>({
  name: 'labelMembers',
  weight: 2,
  allowedWhileLocked: true,
  keyless: true,
  invent: ({ random, customers }) => ({
    externalCustomerId: random.pick(customers),
    tag: random.pick(LABELS),
  }),
  alter: (input) => input,
  command: ({ externalCustomerId, tag }, caller) =>
    labelMembers([externalCustomerId], { kind: 'tags', labels: [tag], adds: true }, caller),
  predict(model, { externalCustomerId, tag }) {
    return { receipt: labelled(model, 'tags', tag, [externalCustomerId], true) };
  },
});

function tagging(name: 'tagMember' | 'untagMember', adds: boolean) {
  return operation<TagInput>({
    name,
    weight: 5,
    invent: ({ random, customers }) => ({
      externalCustomerId: random.pick(customers),
      tag: random.pick(LABELS),
    }),
    alter: (input, random) => ({ ...input, tag: `${input.tag}${random.between(1, 9)}` }),
    command(input, caller) {
      const command = tagMember(input, adds, caller);
      if (isRefusal(command)) throw new Error(`refused before it was sent: ${command.code}`);
      return command;
    },
    predict(model, { externalCustomerId, tag }): Prediction {
      if (!model.members.get(externalCustomerId)) return { code: 'member_not_found' };
      const { changed } = labelled(model, 'tags', tag, [externalCustomerId], adds);
      return { receipt: { member: { externalCustomerId }, changed: changed === 1 } };
    },
  });
}

function listing(name: 'addToList' | 'removeFromList', adds: boolean) {
  return operation<ListInput>({
    name,
    weight: 4,
    invent({ random, customers }) {
      const externalCustomerIds = someOf(random, customers);
      return { list: random.pick(LABELS), externalCustomerIds, customer: externalCustomerIds[0] ?? '' };
    },
    alter: (input, random) => ({ ...input, list: `${input.list}${random.between(1, 9)}` }),
    command({ idempotencyKey, list, externalCustomerIds }, caller) {
      const command = changeList({ idempotencyKey, list, externalCustomerIds }, adds, caller);
      if (isRefusal(command)) throw new Error(`refused before it was sent: ${command.code}`);
      return command;
    },
    predict: (model, { list, externalCustomerIds }) => ({
      receipt: labelled(
        model,
        'lists',
        list,
        externalCustomerIds.map((name) => model.nameFor(name)),
        adds,
      ),
    }),
  });
}

function someOf(random: Random, customers: readonly string[]): string[] {
  const picked = Array.from({ length: random.between(1, 4) }, () => random.pick(customers));
  return random.chance(0.1) ? [...picked, 'nobody'] : picked;
}

/** Changes the labels of members in the model; what the receipt says of it. */
function labelled(
  model: Model,
  kind: 'tags' | 'lists',
  label: string,
  customers: readonly string[],
  adds: boolean,
) {
  const outcome = { changed: 0, unchanged: 0, unknown: [] as number[], full: [] as number[] };
  for (const customer of new Set(customers)) {
    const member = model.members.get(customer);
    if (!member) outcome.unknown.push(customers.indexOf(customer));
    else if (member[kind].includes(label) === adds) outcome.unchanged += 1;
    else {
      const others = member[kind].filter((each) => each !== label);
      model.members.set(customer, { ...member, [kind]: adds ? [...others, label].sort() : others });
      tellOfState(model, 'member.updated', customer, { changed: [kind] });
      outcome.changed += 1;
    }
  }
  return outcome;
}
