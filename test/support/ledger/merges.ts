import { approveMemberMerge } from '../../../src/commands/members/decide-member-merge.ts';
import { requestMemberMerge } from '../../../src/commands/members/request-member-merge.ts';
import { fromTypeId, newUuid } from '../../../src/ids.ts';
import type { Writer } from '../../../src/ledger/batch/writer.ts';
import type { Command } from '../../../src/ledger/command.ts';
import { receiptOf } from '../commands/desk.ts';
import type { Shop } from './counter.ts';

/** Asks for a merge. @returns the command that approves it, as another principal */
export async function requestedMerge(
  writer: Writer,
  shop: Shop,
  from: string,
  into: string,
): Promise<Command> {
  const as = (id: string) => ({ ...shop.caller, actor: { type: 'api_key', id } as const });
  const request = {
    idempotencyKey: newUuid(),
    externalCustomerId: from,
    intoExternalCustomerId: into,
    reason: 'one person',
    evidence: { ticket: 7 },
  };
  const { merge } = receiptOf(await writer.submit(requestMemberMerge(request, as('clerk'))));
  const { id: mergeId } = merge as { id: string };
  const input = { idempotencyKey: newUuid(), mergeId, reason: 'looked into it' };
  const named = { id: fromTypeId('mrg', mergeId) ?? '', source: from, target: into };
  return approveMemberMerge(input, named, as('boss'));
}
