import { isRefusal, type Refusal, refuse } from '../../refusal.ts';
import type { Command, Decision, Outcome } from '../command.ts';
import { keyOf } from '../tables/key-of.ts';
import { auditEvent } from './audit-event.ts';
import { eventRecord } from './event-record.ts';
import type { WorkingSet } from './working-set.ts';

/**
 * Decides the commands of a batch one by one, in order, each on the state that the ones before it left. Pure: no I/O,
 * no clock. For each command, replays and reused keys are checked first, then the lock of the environment, and then the
 * command itself decides (decisions, "Environments and credentials"). A command that repeats the receipt of an earlier
 * command with the same reference counts as a replay, whatever its idempotency key.
 */
export function decideBatch(working: WorkingSet, commands: readonly Command[], now: Date): Outcome[] {
  return commands.map((command) => decideOne(working, command, now));
}

function decideOne(working: WorkingSet, command: Command, now: Date): Outcome {
  const { operation, idempotencyKey } = command;
  const stored =
    idempotencyKey === null ? null : working.rows.idempotency.get(keyOf(operation, idempotencyKey));
  if (stored) {
    return stored.fingerprint.equals(command.fingerprint)
      ? { receipt: stored.receipt, idempotent: true }
      : refuse(
          'idempotency_key_reused',
          `This Idempotency-Key was used before with another input${answeredWith(stored.receipt)}. Use a new one for a new event.`,
        );
  }
  const decision = decideUnderLock(working, command, now);
  if (isRefusal(decision)) return decision;
  working.apply(decision, now);
  if (idempotencyKey !== null) {
    working.rows.idempotency.insert({
      operation,
      key: idempotencyKey,
      fingerprint: command.fingerprint,
      receipt: decision.receipt,
      transactionId: decision.receiptOf?.id ?? null,
      createdAt: now,
    });
  }
  for (const entry of decision.audits) {
    working.rows.audits.insert(auditEvent(working.newId(), command, entry, now));
  }
  for (const event of decision.webhookEvents) {
    working.rows.events.insert(eventRecord(working.newId(), event, now));
  }
  return { receipt: decision.receipt, idempotent: decision.repeated ?? false };
}

/**
 * The command's decision; `production_locked` where the environment is locked and the lock does not allow the decision.
 */
function decideUnderLock(working: WorkingSet, command: Command, now: Date): Decision | Refusal {
  if (!working.environment.locked || command.allowedWhileLocked) return command.decide(working, now);
  const locked = refuse(
    'production_locked',
    'This environment is locked: it takes no changes until it is unlocked.',
  );
  if (!command.repeatsWhileLocked) return locked;
  const decision = command.decide(working, now);
  return !isRefusal(decision) && decision.repeated ? decision : locked;
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
