import { approveMemberMerge, rejectMemberMerge } from '../../../src/commands/members/decide-member-merge.ts';
import { requestMemberMerge } from '../../../src/commands/members/request-member-merge.ts';
import { fromTypeId } from '../../../src/ids.ts';
import { type Operation, operation } from '../../client/intent.ts';
import { madeId } from '../../model/expected-event.ts';
import { mergeAccounts } from '../../model/merge.ts';
import type { Model, ModelMerge, Prediction } from '../../model/model.ts';
import { asPrincipal, PRINCIPALS } from '../shared/principals.ts';

const DAY_MS = 86_400_000;
/** Members of a world that may have been merged, as a rule. */
const MOST_MERGED = 8;

interface RequestInput {
  externalCustomerId: string;
  intoExternalCustomerId: string;
  reason: string;
  evidence: { ticket: number };
  principal: string;
}

export const requestMemberMergeOperation = operation<RequestInput>({
  name: 'requestMemberMerge',
  weight: 6,
  invent({ random, customers, model }) {
    // Not everybody, so that enough members are left.
    const merged = [...model.targets.rows()].filter(([name, other]) => name !== other);
    if (merged.length >= MOST_MERGED && random.chance(0.9)) return null;
    return {
      externalCustomerId: random.pick(customers),
      intoExternalCustomerId: random.pick(customers),
      reason: 'one person',
      evidence: { ticket: random.below(1000) },
      principal: random.pick(PRINCIPALS),
    };
  },
  alter: (input) => ({ ...input, reason: `${input.reason}!` }),
  command: ({ principal, ...input }, caller) => requestMemberMerge(input, asPrincipal(caller, principal)),
  predict(model, { externalCustomerId: source, intoExternalCustomerId, reason, principal }, { now, name }) {
    const target = model.nameFor(intoExternalCustomerId);
    if (!canMerge(model, source) || !canMerge(model, target)) return { code: 'member_not_found' };
    if (source === target) return { code: 'validation_failed' };
    const expiresAt = now.getTime() + 14 * DAY_MS;
    const requested = { state: 'requested', requestedBy: principal, expiresAt } as const;
    model.merges.set(name, { source, target, ...requested, done: null, unmerge: null });
    return {
      receipt: { merge: { state: 'requested', intoExternalCustomerId: target, reason, programs: [] } },
    };
  },
});

export const approveMemberMergeOperation = onMerge({
  name: 'approveMemberMerge',
  weight: 8,
  decide(model, merge, { principal, now, names: [source, target] }) {
    if (merge.requestedBy === principal) return { code: 'self_approval_forbidden' };
    if (merge.source !== source || merge.target !== target) return { code: 'invalid_merge_state' };
    if (!canMerge(model, source) || !canMerge(model, target)) return { code: 'member_not_found' };
    const merged = mergeAccounts(model, source, target, now);
    if ('code' in merged) return merged;
    const { programs, undo } = merged;
    model.tellOfMember('member.merged', target, {
      mergedMemberId: madeId('mem'),
      mergeId: madeId('mrg'),
      programs,
    });
    return { state: 'merged', programs, done: { at: now.getTime(), undo } };
  },
});

export const rejectMemberMergeOperation = onMerge({
  name: 'rejectMemberMerge',
  weight: 2,
  allowedWhileLocked: true,
  decide: () => ({ state: 'rejected', programs: [] }),
});

function canMerge(model: Model, customer: string): boolean {
  return model.members.get(customer)?.suspended === false;
}

interface OnMerge {
  name: 'approveMemberMerge' | 'rejectMemberMerge';
  weight: number;
  allowedWhileLocked?: boolean;
  decide(
    model: Model,
    merge: ModelMerge,
    /** `names`: whom the names of the two members answer for now. */
    decider: { principal: string; now: Date; names: readonly [string, string] },
  ):
    | Extract<Prediction, { code: unknown }>
    | { state: ModelMerge['state']; programs: object[]; done?: ModelMerge['done'] };
}

interface DecisionInput {
  mergeId: string;
  reason: string;
  customer: string;
  from: string;
  into: string;
  principal: string;
}

function onMerge({ name, weight, allowedWhileLocked = false, decide }: OnMerge): Operation {
  const command = name === 'approveMemberMerge' ? approveMemberMerge : rejectMemberMerge;
  return operation<DecisionInput>({
    name,
    weight,
    allowedWhileLocked,
    invent({ random, memory, customers, model, now }) {
      const merge = memory.pick('merge', random, customers, (id) => {
        const merge = model.merges.get(model.names.get(id) ?? '');
        return merge?.state === 'requested' && merge.expiresAt > now.getTime();
      });
      return (
        merge && {
          ...{ mergeId: merge.id, reason: 'looked into it', principal: random.pick(PRINCIPALS) },
          ...{ customer: merge.of ?? '', from: merge.externalCustomerId, into: merge.of ?? '' },
        }
      );
    },
    alter: (input) => ({ ...input, reason: `${input.reason}!` }),
    command({ principal, from, into, customer: _customer, ...input }, caller) {
      const id = fromTypeId('mrg', input.mergeId);
      const named = id === null ? null : { id, source: from, target: into };
      return command(input, named, asPrincipal(caller, principal));
    },
    predict(model, { mergeId, reason, from, into, principal }, { now }) {
      const mergeName = model.names.get(mergeId) ?? '';
      const merge = model.merges.get(mergeName);
      if (!merge) return { code: 'merge_not_found' };
      if (merge.state !== 'requested' || merge.expiresAt <= now.getTime())
        return { code: 'invalid_merge_state' };
      const names = [model.nameFor(from), model.nameFor(into)] as const;
      const decided = decide(model, merge, { principal, now, names });
      if ('code' in decided) return decided;
      const { state, programs, done = null } = decided;
      model.merges.set(mergeName, { ...merge, state, done });
      return { receipt: { merge: { id: mergeId, state, decisionReason: reason, programs } } };
    },
  });
}
