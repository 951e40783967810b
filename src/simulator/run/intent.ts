import type { Caller } from '../../commands/shared/caller.ts';
import type { Command } from '../../ledger/command.ts';
import type { ResourceOwner } from '../../ledger/resource-owner.ts';
import type { Model, Prediction } from '../model/model.ts';
import type { Moment } from '../model/moment.ts';
import type { Random } from '../random.ts';
import type { Memory } from './client-memory.ts';
import type { LookupKey } from './lookups.ts';

/** What an operation may draw on when it invents an input. */
export interface Surroundings {
  random: Random;
  now: Date;
  model: Model;
  customers: readonly string[];
  programIds: readonly string[];
  /** What clients remember of the answers that they got. */
  memory: Memory;
  /** A reference that no order has had, or now and then one that some order has. */
  orderReference(): string;
  /** A reference of an event or a claim that none has had. */
  newReference(of: 'event' | 'claim'): string;
  /** Somebody's referral code in a program, as it was told; null where nobody here has one. */
  referralCode(programId: string): string | null;
}

/** Something that a client wants done. It keeps the key for as often as it sends it. */
export interface Intent {
  operation: string;
  key: string;
  /** Without it nothing is remembered under the key: the service's own work. */
  keyed: boolean;
  /** The input without its key, as text: two intents say the same if this is the same. */
  said: string;
  /** Whose points it is about, as far as the client knows. */
  externalCustomerId: string;
  allowedWhileLocked: boolean;
  /** Whether what was answered before, under whatever key, is answered again while Production is locked. */
  repeatsWhileLocked: boolean;
  /** What is looked up before the command is made; null for nothing. */
  lookup: LookupKey | null;
  /** @param owner what `lookup` has found; null where it found nothing */
  command(caller: Caller, owner: ResourceOwner | null): Command;
  /** What the operation itself does to the model, past keys and the lock. */
  predict(model: Model, moment: Moment): Prediction;
  /** The same key with another input. */
  altered(random: Random): Intent;
}

/** An operation that the simulator exercises: one file each under operations/. */
export interface Operation {
  name: string;
  /** How often it is invented, next to the others. */
  weight: number;
  /** @returns null where there is nothing yet to do it to */
  invent(surroundings: Surroundings, key: string): Intent | null;
}

/** An operation with the type of its input still known. */
export interface OperationOf<I extends object> {
  name: string;
  weight: number;
  allowedWhileLocked?: boolean;
  repeatsWhileLocked?: boolean;
  keyless?: boolean;
  invent(surroundings: Surroundings): (I & Addressed) | null;
  alter(input: I, random: Random): I;
  lookup?(input: I): LookupKey | null;
  command(input: I & { idempotencyKey: string }, caller: Caller, owner: ResourceOwner | null): Command;
  predict(model: Model, input: I, moment: Moment): Prediction;
}

/** Whose points an input is about. Where the service is not told, `customer` says it. */
type Addressed = { externalCustomerId: string } | { customer: string };

/** Who sends it and whose it is are no part of an input: another principal may send the same. */
function withoutAsides(name: string, value: unknown): unknown {
  return name === 'principal' || name === 'customer' ? undefined : value;
}

/** Wraps an operation so that operations of different inputs can stand in one list. */
export function operation<I extends object>(definition: OperationOf<I>): Operation {
  const {
    name,
    weight,
    allowedWhileLocked = false,
    repeatsWhileLocked = false,
    keyless = false,
  } = definition;
  const intend = (input: I, customer: string, key: string): Intent => ({
    operation: name,
    key,
    keyed: !keyless,
    said: JSON.stringify(input, withoutAsides),
    externalCustomerId: customer,
    allowedWhileLocked,
    repeatsWhileLocked,
    lookup: definition.lookup?.(input) ?? null,
    command: (caller, owner) => definition.command({ ...input, idempotencyKey: key }, caller, owner),
    predict: (model, moment) => definition.predict(model, input, moment),
    altered: (random) => intend(definition.alter(input, random), customer, key),
  });
  return {
    name,
    weight,
    invent(surroundings, key) {
      const input = definition.invent(surroundings);
      if (!input) return null;
      return intend(input, 'customer' in input ? input.customer : input.externalCustomerId, key);
    },
  };
}

/** What the model says of an intent as a whole: replays and reused keys first, then the lock, then the operation. */
export function predictIntent(
  model: Model,
  intent: Intent,
  { now, found }: Pick<Moment, 'now' | 'found'>,
): Prediction & { replayed?: boolean } {
  const name = answerName(intent);
  const answer = intent.keyed ? model.answers.get(name) : null;
  if (answer) {
    return answer.said === intent.said
      ? { receipt: answer.receipt, replayed: true }
      : { code: 'idempotency_key_reused' };
  }
  if (model.locked && !intent.allowedWhileLocked) {
    const repeated = intent.repeatsWhileLocked ? intent.predict(model.fork(), { now, found, name }) : null;
    if (!repeated || 'code' in repeated || !repeated.repeated) return { code: 'production_locked' };
  }
  const prediction = intent.predict(model, { now, found, name });
  if ('receipt' in prediction && intent.keyed) {
    const { receipt, repeated = false } = prediction;
    model.answers.set(name, { said: intent.said, receipt, repeated });
  }
  return prediction;
}

/** The name of an intent's idempotency key. */
export function answerName(intent: Intent): string {
  return `${intent.operation} ${intent.key}`;
}
