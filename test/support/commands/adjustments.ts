import type { OwnedAdjustment } from '../../../src/commands/adjustments/adjustment-decision.ts';
import { approveAdjustment } from '../../../src/commands/adjustments/approve-adjustment.ts';
import { rejectAdjustment } from '../../../src/commands/adjustments/reject-adjustment.ts';
import { requestAdjustment } from '../../../src/commands/adjustments/request-adjustment.ts';
import { reverseAdjustment } from '../../../src/commands/adjustments/reverse-adjustment.ts';
import type { Caller } from '../../../src/commands/shared/caller.ts';
import type { RequestAdjustmentInput } from '../../../src/contract/generated/types.ts';
import { fromTypeId, newUuid, toTypeId } from '../../../src/ids.ts';
import type { Outcome } from '../../../src/ledger/command.ts';
import type { AdjustmentRecord } from '../../../src/ledger/tables/adjustments.ts';
import { type Desk, receiptOf, rows } from './desk.ts';

const decisions = { approve: approveAdjustment, reject: rejectAdjustment, reverse: reverseAdjustment };

export interface DecisionOptions {
  /** The principal who decides; `boss` where absent. */
  by?: string;
  idempotencyKey?: string;
  /** Null for an adjustment that the look-up did not find. */
  named?: OwnedAdjustment | null;
}

/** A request by the principal `clerk`; 100 points to ann by default. */
export function request(desk: Desk, overrides: Partial<RequestAdjustmentInput> = {}, by = 'clerk'): Outcome {
  return desk.run(
    requestAdjustment(
      {
        idempotencyKey: newUuid(),
        programId: 'coffee-club',
        externalCustomerId: 'ann',
        direction: 'credit',
        points: 100,
        reason: 'cold coffee',
        evidence: { ticket: 'CS-1' },
        ...overrides,
      },
      principal(desk, by),
    ),
  );
}

/** The adjustment that a request has made. */
export function requested(desk: Desk, overrides: Partial<RequestAdjustmentInput> = {}): AdjustmentRecord {
  const { adjustment } = receiptOf(request(desk, overrides)) as { adjustment: { id: string } };
  return adjustmentOf(desk, fromTypeId('adj', adjustment.id) ?? '');
}

export function decide(
  desk: Desk,
  verb: keyof typeof decisions,
  adjustment: Pick<AdjustmentRecord, 'id'>,
  { by = 'boss', idempotencyKey = newUuid(), named = namedOf(desk, adjustment.id) }: DecisionOptions = {},
): Outcome {
  const input = { idempotencyKey, adjustmentId: toTypeId('adj', adjustment.id), reason: `${verb} it` };
  return desk.run(decisions[verb](input, named, principal(desk, by)));
}

/** A request that has been approved. */
export function posted(desk: Desk, overrides: Partial<RequestAdjustmentInput> = {}): AdjustmentRecord {
  const adjustment = requested(desk, overrides);
  receiptOf(decide(desk, 'approve', adjustment));
  return adjustmentOf(desk, adjustment.id);
}

export function adjustmentOf(desk: Desk, id: string): AdjustmentRecord {
  return desk.store.tables.adjustments.get(id) as AdjustmentRecord;
}

/** Overwrites an adjustment, past every command. */
export function setAdjustment(desk: Desk, id: string, changes: Partial<AdjustmentRecord>): void {
  desk.store.tables.adjustments.set(id, { ...adjustmentOf(desk, id), ...changes });
}

/** Looks the adjustment up as the resolver does. */
export function namedOf(desk: Desk, id: string): OwnedAdjustment {
  const { programId, memberId, points } = adjustmentOf(desk, id);
  const member = rows(desk.store.tables.members).find((row) => row.id === memberId);
  return { id, programId, externalCustomerId: member?.externalCustomerId ?? '', points };
}

function principal(desk: Desk, id: string): Caller {
  return { ...desk.caller, actor: { type: 'api_key', id } };
}
