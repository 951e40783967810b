import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Actor, Command } from '../ledger/command.ts';

/** On whose behalf a command runs. */
export interface Caller {
  /** UUID. */
  environmentId: string;
  actor: Actor;
  requestId: string;
}

/** Every input of a mutation: its key beside what it says. */
export interface Keyed {
  idempotencyKey: string;
}

/** The parts of a command that follow from who calls and what is sent. */
export type Envelope = Pick<
  Command,
  'environmentId' | 'operation' | 'idempotencyKey' | 'fingerprint' | 'actor' | 'requestId'
>;

/**
 * Wraps a validated input.
 * @param operation SDL name of the mutation: the namespace of its keys, whatever the surface
 */
export function envelope(operation: string, input: Keyed, caller: Caller): Envelope {
  return {
    environmentId: caller.environmentId,
    operation,
    idempotencyKey: input.idempotencyKey,
    fingerprint: fingerprintOf(input),
    actor: caller.actor,
    requestId: caller.requestId,
  };
}

/**
 * SHA-256 of the canonical JSON (RFC 8785) of an input without its key. An optional property that is null says the
 * same as one that is absent, and so does an empty list; inside what is the client's own JSON a null is a value.
 * Where the contract gives a default, it says the same as that.
 */
export function fingerprintOf(input: Keyed): Buffer {
  const { idempotencyKey: _key, ...said } = input;
  return createHash('sha256')
    .update(canonicalize(withoutNothing(said)) ?? '')
    .digest();
}

/** Objects of the contract that hold whatever a client likes. */
const OPEN_OBJECTS = new Set(['attributes', 'evidence', 'cancellationEvidence']);

/** Defaults of the contract's inputs: what is absent has become one before a command sees it, what is null has not. */
const DEFAULTS = new Map<string, unknown>([
  ['quantity', 1],
  ['ttlSeconds', 900],
  ['reverse', false],
  ['explain', false],
]);

function withoutNothing(value: object): object {
  if (Array.isArray(value)) return value.map((item) => (isObject(item) ? withoutNothing(item) : item));
  const kept: Record<string, unknown> = Object.create(null);
  for (const [name, said] of Object.entries(value)) {
    const item = said === null ? DEFAULTS.get(name) : said;
    if (item === undefined || (Array.isArray(item) && item.length === 0)) continue;
    kept[name] = isObject(item) && !OPEN_OBJECTS.has(name) ? withoutNothing(item) : item;
  }
  return kept;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
