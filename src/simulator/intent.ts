import type { Caller } from '../commands/caller.ts';
import type { Command } from '../ledger/command.ts';
import type { Model, Prediction } from './model.ts';
import type { Random } from './random.ts';

/** What an operation may draw on when it invents an input. */
export interface Surroundings {
  random: Random;
  now: Date;
  model: Model;
  customers: readonly string[];
  programIds: readonly string[];
  /** A reference that no order has had, or now and then one that some order has. */
  orderReference(): string;
}

/** Something that a client wants done. It keeps the key for as often as it sends it. */
export interface Intent {
  operation: string;
  key: string;
  /** The input without its key, as text: two intents say the same if this is the same. */
  said: string;
  externalCustomerId: string;
  allowedWhileLocked: boolean;
  command(caller: Caller): Command;
  /** What the operation itself does to the model, past keys and the lock. */
  predict(model: Model, now: Date): Prediction;
  /** The same key with another input. */
  altered(random: Random): Intent;
}

/** An operation that the simulator exercises: one file each under operations/. */
export interface Operation {
  name: string;
  /** How often it is invented, next to the others. */
  weight: number;
  invent(surroundings: Surroundings, key: string): Intent;
}

/** An operation with the type of its input still known. */
export interface OperationOf<I extends { externalCustomerId: string }> {
  name: string;
  weight: number;
  allowedWhileLocked?: boolean;
  invent(surroundings: Surroundings): I;
  alter(input: I, random: Random): I;
  command(input: I & { idempotencyKey: string }, caller: Caller): Command;
  predict(model: Model, input: I, now: Date): Prediction;
}

/** Wraps an operation so that operations of different inputs can stand in one list. */
export function operation<I extends { externalCustomerId: string }>(definition: OperationOf<I>): Operation {
  const intend = (input: I, key: string): Intent => ({
    operation: definition.name,
    key,
    said: JSON.stringify(input),
    externalCustomerId: input.externalCustomerId,
    allowedWhileLocked: definition.allowedWhileLocked ?? false,
    command: (caller) => definition.command({ ...input, idempotencyKey: key }, caller),
    predict: (model, now) => definition.predict(model, input, now),
    altered: (random) => intend(definition.alter(input, random), key),
  });
  return {
    name: definition.name,
    weight: definition.weight,
    invent: (surroundings, key) => intend(definition.invent(surroundings), key),
  };
}

/** What the model says of an intent as a whole: replays and reused keys first, then the lock, then the operation. */
export function predictIntent(model: Model, intent: Intent, now: Date): Prediction & { replayed?: boolean } {
  const name = answerName(intent);
  const answer = model.answers.get(name);
  if (answer) {
    return answer.said === intent.said
      ? { receipt: answer.receipt, replayed: true }
      : { code: 'idempotency_key_reused' };
  }
  if (model.locked && !intent.allowedWhileLocked) return { code: 'production_locked' };
  const prediction = intent.predict(model, now);
  if ('receipt' in prediction) model.answers.set(name, { said: intent.said, receipt: prediction.receipt });
  return prediction;
}

/** The name of an intent's idempotency key. */
export function answerName(intent: Intent): string {
  return `${intent.operation} ${intent.key}`;
}
