import { toTypeId } from '../../ids.ts';
import { isRefusal, type Refusal, refuse } from '../../refusal.ts';
import {
  type Changes,
  type Command,
  type Decision,
  type Outcome,
  SettlementStep,
  type WebhookEvent,
} from '../command.ts';
import { receiptUnreadable, UnreadableReceipt } from '../receipts/stored-receipt.ts';
import { isRetry, type Retry, retryFor, withoutRetry } from '../retry.ts';
import { isOfInput, storedFingerprint } from '../tables/idempotency-keys.ts';
import { keyOf } from '../tables/key-of.ts';
import { auditEvent } from './audit-event.ts';
import { eventRecord, withProfile } from './event-record.ts';
import type { WorkingSet } from './working-set.ts';

/** What every change of a locked environment is refused with. */
export const productionLocked = refuse(
  'production_locked',
  'This environment is locked: it takes no changes until it is unlocked.',
);

/** The same while a Sandbox is being emptied. */
export const beingReset = refuse(
  'production_locked',
  'This Sandbox is being emptied (rewards env reset): it takes no changes until that is done.',
);

const keyOfErasedMember = refuse(
  'idempotency_key_reused',
  'This Idempotency-Key was used before, for a member who has been erased since. Use a new one for a new event.',
);

/**
 * Decides the commands of a batch one by one, in order, each on the state that the ones before it left. Pure: no I/O,
 * no clock. For each command, replays and reused keys are checked first, then the lock of the environment, and then the
 * command itself decides (decisions, "Environments and credentials"). A command that repeats the receipt of an earlier
 * command with the same reference counts as a replay, whatever its idempotency key.
 */
export function decideBatch(
  working: WorkingSet,
  commands: readonly Command[],
  now: Date,
): (Outcome | Retry)[] {
  return commands.map((command) => decideOne(working, command, now));
}

/** Decides a command, and where it is refused for the lack of its prerequisites, these and then the command again. */
function decideOne(working: WorkingSet, command: Command, now: Date): Outcome | Retry {
  const outcome = decideByKey(working, command, now);
  const { prerequisites } = command;
  if (!prerequisites || !isRefusal(outcome) || !prerequisites.after.has(outcome.code)) return outcome;
  const before = prerequisites.commands.map((first) => withoutRetry(decideByKey(working, first, now)));
  const again = decideByKey(working, command, now);
  // The next try decides them again.
  return isRetry(again) ? again : { ...again, prerequisites: before };
}

function decideByKey(working: WorkingSet, command: Command, now: Date): Outcome | Retry {
  const { operation, idempotencyKey } = command;
  const stored =
    idempotencyKey === null ? null : working.rows.idempotency.get(keyOf(operation, idempotencyKey));
  if (stored) {
    if (!isOfInput(stored.fingerprint, command.fingerprint)) {
      return refuse(
        'idempotency_key_reused',
        'This Idempotency-Key was used before with another ' +
          `input${answeredWith(stored.receipt)}. Use a new one for a new event.`,
      );
    }
    if (stored.receipt instanceof UnreadableReceipt) return receiptUnreadable;
    return { receipt: stored.receipt, idempotent: true };
  }
  if (idempotencyKey !== null && working.isErased('idempotencyKey', operation, idempotencyKey)) {
    return keyOfErasedMember;
  }
  const decision = decideUnderLock(working, command, now);
  if (decision instanceof SettlementStep) {
    applyChanges(working, command, decision.changes, now);
    return retryFor('settlement_step');
  }
  if (isRefusal(decision) || isRetry(decision)) return decision;
  applyChanges(working, command, decision, now);
  if (idempotencyKey !== null) {
    working.rows.idempotency.insert({
      operation,
      key: idempotencyKey,
      fingerprint: storedFingerprint(command.fingerprint),
      receipt: decision.receipt,
      transactionId: decision.receiptOf?.id ?? null,
      createdAt: now,
    });
  }
  return { receipt: decision.receipt, idempotent: decision.repeated ?? false };
}

function applyChanges(working: WorkingSet, command: Command, changes: Changes, now: Date): void {
  working.apply(changes, now);
  for (const entry of changes.audits) {
    working.rows.audits.insert(auditEvent(working.newId(), command, entry, now));
  }
  for (const event of changes.webhookEvents) {
    const record = eventRecord(event.id ?? working.newId(), ofPresentMember(working, event), now);
    working.rows.events.insert(withProfile(record, working.profileOf(record)));
  }
}

/** An event about rows of a member that was merged is one about the member that its name answers for now. */
function ofPresentMember(working: WorkingSet, event: WebhookEvent): WebhookEvent {
  const { externalCustomerId } = event.data;
  const member = externalCustomerId === undefined ? null : working.rows.members.byName(externalCustomerId);
  return member ? { ...event, data: { ...event.data, memberId: toTypeId('mem', member.id) } } : event;
}

/**
 * The command's decision, or the step of a settlement that it needs first; `production_locked` where the environment is
 * locked and the lock does not allow the decision.
 */
function decideUnderLock(
  working: WorkingSet,
  command: Command,
  now: Date,
): Decision | SettlementStep | Refusal | Retry {
  const { locked, kind } = working.environment;
  // Only a reset locks a Sandbox, and it leaves nothing that a sweep could settle.
  if (locked && kind === 'sandbox') return beingReset;
  if (!locked || command.allowedWhileLocked) return decide(working, command, now);
  if (!command.repeatsWhileLocked) return productionLocked;
  const decision = decide(working, command, now);
  return 'repeated' in decision && decision.repeated ? decision : productionLocked;
}

function decide(
  working: WorkingSet,
  command: Command,
  now: Date,
): Decision | SettlementStep | Refusal | Retry {
  try {
    return command.decide(working, now);
  } catch (error) {
    if (error instanceof SettlementStep) return error;
    throw error;
  }
}

/**
 * The end of a message, with the first id in a receipt: its own, or that of an object in it. Empty where it has none.
 */
function answeredWith(receipt: object): string {
  for (const part of [receipt, ...Object.values(receipt)] as unknown[]) {
    if (typeof part === 'object' && part !== null && 'id' in part) return `, for ${part.id}`;
  }
  return '';
}
