import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { inputShapes } from '../../contract/generated/input-shapes.ts';
import type { Mutation } from '../../contract/generated/types.ts';
import type { InputShape } from '../../contract/input-shape.ts';
import type { Actor, Command } from '../../ledger/command.ts';

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
export function envelope(operation: keyof Mutation, input: Keyed, caller: Caller): Envelope {
  return {
    environmentId: caller.environmentId,
    operation,
    idempotencyKey: input.idempotencyKey,
    fingerprint: fingerprintOf(input, inputShapes[operation]),
    actor: caller.actor,
    requestId: caller.requestId,
  };
}

/**
 * SHA-256 of the canonical JSON (RFC 8785) of an input without its key. An optional property that is null says the
 * same as one that is absent, and so does an empty list; inside what is the client's own JSON a null is a value.
 * Where the contract gives a default, null says the same as that.
 * @param shape of the operation's input
 */
export function fingerprintOf(input: Keyed, shape: InputShape): Buffer {
  const { idempotencyKey: _key, ...said } = input;
  return createHash('sha256')
    .update(canonicalize(withoutNothing(said, shape)) ?? '')
    .digest();
}

/** What is absent has become its default before a command sees it; what is null has not, and does here. */
function withoutNothing(value: object, shape: InputShape): object {
  if (Array.isArray(value)) return value.map((item) => (isObject(item) ? withoutNothing(item, shape) : item));
  const kept: Record<string, unknown> = Object.create(null);
  for (const [name, said] of Object.entries(value)) {
    // Most values are plain: what the shape says of them changes nothing.
    const field = typeof said === 'object' ? shape[name] : undefined;
    const item = said === null ? field?.default : said;
    if (item === undefined || (Array.isArray(item) && item.length === 0)) continue;
    kept[name] = field?.fields && isObject(item) ? withoutNothing(item, field.fields) : item;
  }
  return kept;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
