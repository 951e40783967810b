import { approveMemberMerge } from '../../../src/commands/members/decide-member-merge.ts';
import { approveMemberUnmerge } from '../../../src/commands/members/decide-member-unmerge.ts';
import { requestMemberMerge } from '../../../src/commands/members/request-member-merge.ts';
import { requestMemberUnmerge } from '../../../src/commands/members/request-member-unmerge.ts';
import { fromTypeId, newUuid } from '../../../src/ids.ts';
import type { Writer } from '../../../src/ledger/batch/writer.ts';
import type { Command } from '../../../src/ledger/command.ts';
import { receiptOf } from '../commands/desk.ts';
import type { Shop } from './counter.ts';

/** The ids of the merges that were asked for, by the names of the two accounts. */
const ids = new Map<string, string>();

/** Asks for a merge. @returns the command that approves it, as another principal */
export async function requestedMerge(
  writer: Writer,
  shop: Shop,
  from: string,
  into: string,
): Promise<Command> {
  const request = {
    idempotencyKey: newUuid(),
    externalCustomerId: from,
    intoExternalCustomerId: into,
    reason: 'one person',
    evidence: { ticket: 7 },
  };
  const { merge } = receiptOf(await writer.submit(requestMemberMerge(request, as(shop, 'clerk'))));
  const { id: mergeId } = merge as { id: string };
  ids.set(`${shop.id} ${from} ${into}`, mergeId);
  const input = { idempotencyKey: newUuid(), mergeId, reason: 'looked into it' };
  return approveMemberMerge(input, named(mergeId, from, into), as(shop, 'boss'));
}

/** Asks to undo the merge that `requestedMerge` was the last to ask for. @returns as `requestedMerge` */
export async function requestedUnmerge(
  writer: Writer,
  shop: Shop,
  from: string,
  into: string,
): Promise<Command> {
  const mergeId = ids.get(`${shop.id} ${from} ${into}`) ?? '';
  const input = { idempotencyKey: newUuid(), mergeId, reason: 'two persons' };
  const names = named(mergeId, from, into);
  receiptOf(await writer.submit(requestMemberUnmerge(input, names, as(shop, 'clerk'))));
  return approveMemberUnmerge({ ...input, idempotencyKey: newUuid() }, names, as(shop, 'boss'));
}

function as({ caller }: Shop, id: string) {
  return { ...caller, actor: { type: 'api_key', id } as const };
}

function named(mergeId: string, source: string, target: string) {
  return { id: fromTypeId('mrg', mergeId) ?? '', source, target };
}
