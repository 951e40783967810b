import type { Caller } from '../../src/commands/shared/caller.ts';
import type { Command } from '../../src/ledger/command.ts';
import type { ResourceOwner } from '../../src/ledger/resource-owner.ts';
import type { Model, Prediction } from '../model/model.ts';
import type { Moment } from '../model/moment.ts';
import type { Random } from '../random.ts';
import type { Memory } from './client-memory.ts';
import type { LookupKey } from './lookups.ts';

/** What an operation may use when it invents an input. */
export interface Surroundings {
  random: Random;
  now: Date;
  model: Model;
  customers: readonly string[];
  programIds: readonly string[];
  /** What clients remember of the receipts that they got. */
  memory: Memory;
  /** A new order reference; now and then one that is already in use. */
  orderReference(): string;
  /** A new reference of an event, a claim, a settlement with a partner or an opening balance. */
  newReference(of: 'event' | 'claim' | 'settlement' | 'opening'): string;
  /** The codes of all pools, of every program. */
  codes: readonly string[];
  /** A member's referral code in a program, as a customer types it; null where the picked member has none. */
  referralCode(programId: string): string | null;
  /** The ids of a profile's lots, oldest first; null where there is no such profile. */
  lotsOf(programId: string, externalCustomerId: string): { memberId: string; lotIds: string[] } | null;
}

/** A command that a client sends. The key stays the same however often it is sent. */
export interface Intent {
  operation: string;
  key: string;
  /** False for the service's own commands: nothing is stored under their key. */
  keyed: boolean;
  /** The input without its key, as text: equal texts are equal inputs. */
  input: string;
  /** The customer whose points it is about, as far as the client knows. */
  externalCustomerId: string;
  allowedWhileLocked: boolean;
  /** Whether a repetition of an earlier command, under any key, gets its receipt while Production is locked. */
  repeatsWhileLocked: boolean;
  /** What is looked up before the command is made; null for nothing. */
  lookup: LookupKey | null;
  /** @param owner what `lookup` has found; null where it found nothing */
  command(caller: Caller, owner: ResourceOwner | null): Command;
  /** Applies the operation to the model and predicts its outcome. Idempotency keys and the lock are checked before. */
  predict(model: Model, moment: Omit<Moment, 'asked'>): Prediction;
  /** The same key with another input. */
  altered(random: Random): Intent;
}

/** An operation that the simulator exercises: one file each under operations/. */
export interface Operation {
  name: string;
  /** How often it is invented, relative to the others. */
  weight: number;
  /** Whether clients send it under an idempotency key. */
  keyed: boolean;
  /** @returns null where the operation has no object yet, such as a return without an order */
  invent(surroundings: Surroundings, key: string): Intent | null;
}

/** The definition of an operation, with the type of its input. */
export interface OperationOf<I extends object> {
  name: string;
  weight: number;
  allowedWhileLocked?: boolean;
  repeatsWhileLocked?: boolean;
  keyless?: boolean;
  /** Whose own the idempotency keys are; by default they are everybody's. */
  keyScope?(input: I): string;
  invent(surroundings: Surroundings): (I & Addressed) | null;
  alter(input: I, random: Random): I;
  lookup?(input: I): LookupKey | null;
  command(input: I & { idempotencyKey: string }, caller: Caller, owner: ResourceOwner | null): Command;
  predict(model: Model, input: I, moment: Moment): Prediction;
}

/** The customer whose points an input is about: `customer` where the service's input has no such field. */
type Addressed = { externalCustomerId: string } | { customer: string };

const UNSENT: ReadonlySet<string> = new Set([
  ...['principal', 'customer', 'session', 'tags', 'imported', 'from', 'into'],
]);

/**
 * Leaves out what is not part of the service's input: another principal, another session or an import may send the same
 * input.
 */
function omitUnsentFields(name: string, value: unknown): unknown {
  return UNSENT.has(name) ? undefined : value;
}

/** The input with the name of the member that its customer's name answers for. */
function forPresentMember<I extends object>(model: Model, input: I): I {
  const names = { ...input } as Readonly<Record<string, unknown>>;
  const present = (field: string): object => {
    const name = names[field];
    return typeof name === 'string' ? { [field]: model.nameFor(name) } : {};
  };
  return { ...input, ...present('externalCustomerId'), ...present('customer') };
}

/** Wraps an operation so that operations of different input types fit into one list. */
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
    key: definition.keyScope ? `${definition.keyScope(input)}:${key}` : key,
    keyed: !keyless,
    input: JSON.stringify(input, omitUnsentFields),
    externalCustomerId: customer,
    allowedWhileLocked,
    repeatsWhileLocked,
    lookup: definition.lookup?.(input) ?? null,
    command: (caller, owner) => definition.command({ ...input, idempotencyKey: key }, caller, owner),
    predict: (model, moment) =>
      definition.predict(model, forPresentMember(model, input), { ...moment, asked: customer }),
    altered: (random) => intend(definition.alter(input, random), customer, key),
  });
  return {
    name,
    weight,
    keyed: !keyless,
    invent(surroundings, key) {
      const input = definition.invent(surroundings);
      if (!input) return null;
      return intend(input, 'customer' in input ? input.customer : input.externalCustomerId, key);
    },
  };
}

/** Predicts the outcome of an intent: replays and reused keys first, then the lock, then the operation. */
export function predictIntent(
  model: Model,
  intent: Intent,
  { now, isFound }: Pick<Moment, 'now' | 'isFound'>,
): Prediction & { replayed?: boolean } {
  const name = commandName(intent);
  const stored = intent.keyed ? model.idempotencyKeys.get(name) : null;
  if (stored) {
    return stored.input === intent.input
      ? { receipt: stored.receipt, replayed: true }
      : { code: 'idempotency_key_reused' };
  }
  if (model.locked && !intent.allowedWhileLocked) {
    const repeated = intent.repeatsWhileLocked ? intent.predict(model.fork(), { now, isFound, name }) : null;
    if (!repeated || 'code' in repeated || !repeated.repeated) return { code: 'production_locked' };
  }
  const prediction = intent.predict(model, { now, isFound, name });
  model.endCommand('receipt' in prediction);
  if ('receipt' in prediction && intent.keyed) {
    const { receipt, repeated = false } = prediction;
    model.idempotencyKeys.set(name, { input: intent.input, receipt, repeated });
  }
  return prediction;
}

/** Operation and idempotency key of an intent: the name of its command in the model. */
export function commandName(intent: Intent): string {
  return `${intent.operation} ${intent.key}`;
}
