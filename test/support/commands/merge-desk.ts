import { approveMemberMerge, rejectMemberMerge } from '../../../src/commands/members/decide-member-merge.ts';
import {
  approveMemberUnmerge,
  rejectMemberUnmerge,
} from '../../../src/commands/members/decide-member-unmerge.ts';
import type { MemberMergeReceipt } from '../../../src/commands/members/merge-receipt.ts';
import { requestMemberMerge } from '../../../src/commands/members/request-member-merge.ts';
import { requestMemberUnmerge } from '../../../src/commands/members/request-member-unmerge.ts';
import { fromTypeId, toTypeId } from '../../../src/ids.ts';
import type { Outcome } from '../../../src/ledger/command.ts';
import type { ProfileRecord } from '../../../src/ledger/tables/program-profiles.ts';
import { Desk, receiptOf } from './desk.ts';

let keys = 0;

interface Deciding {
  principal?: string;
  reject?: boolean;
}

/** A desk with requests and decisions about merges. */
export class MergeDesk extends Desk {
  as(principal: string) {
    return { ...this.caller, actor: { type: 'api_key', id: principal } as const };
  }

  request(from = 'ann', into = 'bob', principal = 'clerk'): Outcome {
    const input = {
      idempotencyKey: `merge-${++keys}`,
      externalCustomerId: from,
      intoExternalCustomerId: into,
      reason: 'one person',
      evidence: { ticket: 7 },
    };
    return this.run(requestMemberMerge(input, this.as(principal)));
  }

  decide(requested: Outcome, { principal = 'boss', reject = false }: Deciding = {}): Outcome {
    const command = reject ? rejectMemberMerge : approveMemberMerge;
    return this.run(command(this.#input(requested), this.#named(requested), this.as(principal)));
  }

  merge(from = 'ann', into = 'bob'): Outcome {
    return this.decide(this.request(from, into));
  }

  /** @param merged the outcome of the merge */
  requestUnmerge(merged: Outcome, principal = 'clerk'): Outcome {
    return this.run(requestMemberUnmerge(this.#input(merged), this.#named(merged), this.as(principal)));
  }

  decideUnmerge(requested: Outcome, { principal = 'boss', reject = false }: Deciding = {}): Outcome {
    const command = reject ? rejectMemberUnmerge : approveMemberUnmerge;
    return this.run(command(this.#input(requested), this.#named(requested), this.as(principal)));
  }

  /** @param merged the outcome of the merge */
  unmerge(merged: Outcome): Outcome {
    return this.decideUnmerge(this.requestUnmerge(merged));
  }

  /** A member's own profile, whatever its name answers for. */
  profileOf(externalCustomerId: string): ProfileRecord | undefined {
    const { members, profiles } = this.store.tables;
    const member = [...members.values()].find((row) => row.externalCustomerId === externalCustomerId);
    return [...profiles.values()].find((row) => row.memberId === member?.id);
  }

  #input(outcome: Outcome) {
    const { merge } = receiptOf(outcome) as unknown as MemberMergeReceipt;
    return { idempotencyKey: `decide-${++keys}`, mergeId: merge.id, reason: 'looked into it' };
  }

  #named(outcome: Outcome) {
    const { merge } = receiptOf(outcome) as unknown as MemberMergeReceipt;
    const nameOf = (outer: string): string => {
      const member = [...this.store.tables.members.values()].find((row) => toTypeId('mem', row.id) === outer);
      return member?.externalCustomerId ?? '';
    };
    const [source, target] = [nameOf(merge.sourceMemberId), nameOf(merge.targetMemberId)];
    return { id: fromTypeId('mrg', merge.id) ?? '', source, target };
  }
}

/** Two members, both enrolled. */
export function mergeDesk(...names: string[]): MergeDesk {
  const desk = new MergeDesk();
  for (const externalCustomerId of ['ann', 'bob', ...names]) {
    desk.createMember({ externalCustomerId });
    desk.enroll({ externalCustomerId });
  }
  return desk;
}
