import {
  approveMemberUnmerge,
  rejectMemberUnmerge,
} from '../../../src/commands/members/decide-member-unmerge.ts';
import { requestMemberUnmerge } from '../../../src/commands/members/request-member-unmerge.ts';
import { fromTypeId } from '../../../src/ids.ts';
import type { Command } from '../../../src/ledger/command.ts';
import { type Operation, operation } from '../../client/intent.ts';
import { madeId } from '../../model/expected-event.ts';
import type { Model, ModelMerge, Prediction } from '../../model/model.ts';
import { unmergeAccounts } from '../../model/unmerge.ts';
import { asPrincipal, PRINCIPALS } from '../shared/principals.ts';

const DAY_MS = 86_400_000;

type Refused = Extract<Prediction, { code: unknown }>;

interface OnMerged {
  name: 'requestMemberUnmerge' | 'approveMemberUnmerge' | 'rejectMemberUnmerge';
  weight: number;
  allowedWhileLocked?: boolean;
  /** The state that the merge has to be in. */
  wants: 'merged' | 'unmerge_requested';
  make(...args: Parameters<typeof requestMemberUnmerge>): Command;
  /** @returns the merge as it is left */
  decide(model: Model, merge: ModelMerge, decider: { principal: string; now: Date }): Refused | ModelMerge;
}

interface Input {
  mergeId: string;
  reason: string;
  customer: string;
  from: string;
  into: string;
  principal: string;
}

export const requestMemberUnmergeOperation = onMerged({
  name: 'requestMemberUnmerge',
  weight: 14,
  wants: 'merged',
  make: requestMemberUnmerge,
  decide(_model, merge, { principal, now }) {
    const expiresAt = Math.min(latestOf(merge), now.getTime() + 14 * DAY_MS);
    return { ...merge, state: 'unmerge_requested', unmerge: { requestedBy: principal, expiresAt } };
  },
});

export const approveMemberUnmergeOperation = onMerged({
  name: 'approveMemberUnmerge',
  weight: 20,
  wants: 'unmerge_requested',
  make: approveMemberUnmerge,
  decide(model, merge, { principal, now }) {
    if (merge.unmerge?.requestedBy === principal) return { code: 'self_approval_forbidden' };
    const programs = unmergeAccounts(model, merge, now);
    if ('code' in programs) return programs;
    model.tellOfMember('member.unmerged', merge.target, {
      unmergedMemberId: madeId('mem'),
      unmergedExternalCustomerId: merge.source,
      mergeId: madeId('mrg'),
      programs,
    });
    return { ...merge, state: 'unmerged' };
  },
});

export const rejectMemberUnmergeOperation = onMerged({
  name: 'rejectMemberUnmerge',
  weight: 2,
  allowedWhileLocked: true,
  wants: 'unmerge_requested',
  make: rejectMemberUnmerge,
  decide: (_model, merge) => ({ ...merge, state: 'merged', unmerge: null }),
});

function onMerged({ name, weight, allowedWhileLocked = false, wants, make, decide }: OnMerged): Operation {
  const isFit = (merge: ModelMerge, now: Date): boolean =>
    stateOf(merge, now) === wants && now.getTime() < latestOf(merge);
  return operation<Input>({
    name,
    weight,
    allowedWhileLocked,
    invent({ random, memory, customers, model, now }) {
      const merge = memory.pick('merge', random, customers, (id) => {
        const candidate = model.merges.get(model.names.get(id) ?? '');
        return candidate !== null && isFit(candidate, now);
      });
      const pickedMerge = model.merges.get(model.names.get(merge?.id ?? '') ?? '');
      // Mostly one that can be undone, where there is one.
      if (pickedMerge && !isFit(pickedMerge, now) && random.chance(0.9)) return null;
      return (
        merge && {
          ...{ mergeId: merge.id, reason: 'two persons', principal: random.pick(PRINCIPALS) },
          ...{ customer: merge.of ?? '', from: merge.externalCustomerId, into: merge.of ?? '' },
        }
      );
    },
    alter: (input) => ({ ...input, reason: `${input.reason}!` }),
    command({ principal, from, into, customer: _customer, ...input }, caller) {
      const id = fromTypeId('mrg', input.mergeId);
      const named = id === null ? null : { id, source: from, target: into };
      return make(input, named, asPrincipal(caller, principal));
    },
    predict(model, { mergeId, into, principal }, { now }) {
      const mergeName = model.names.get(mergeId) ?? '';
      const merge = model.merges.get(mergeName);
      if (!merge) return { code: 'merge_not_found' };
      if (stateOf(merge, now) !== wants) return { code: 'invalid_merge_state' };
      if (name === 'requestMemberUnmerge' && now.getTime() >= latestOf(merge)) {
        return { code: 'unmerge_period_over' };
      }
      const answersForOther = model.nameFor(into) !== merge.target;
      if (answersForOther && name !== 'rejectMemberUnmerge') return { code: 'merged_again' };
      if (name === 'requestMemberUnmerge' && model.members.get(merge.target)?.suspended !== false) {
        return { code: 'member_not_found' };
      }
      const mergeAfter = decide(model, merge, { principal, now });
      if ('code' in mergeAfter) return mergeAfter;
      model.merges.set(mergeName, mergeAfter);
      return { receipt: { merge: { id: mergeId, state: mergeAfter.state } } };
    },
  });
}

/** Until when a merge can be undone. */
function latestOf({ done }: ModelMerge): number {
  return (done?.at ?? 0) + 30 * DAY_MS;
}

/** A request to undo a merge that nobody has decided in time is none. */
function stateOf({ state, unmerge }: ModelMerge, now: Date): ModelMerge['state'] {
  const lapsed = state === 'unmerge_requested' && (unmerge?.expiresAt ?? 0) <= now.getTime();
  return lapsed ? 'merged' : state;
}
