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

/** SHA-256 of the canonical JSON (RFC 8785) of an input without its key. */
export function fingerprintOf(input: Keyed): Buffer {
  const { idempotencyKey: _key, ...said } = input;
  return createHash('sha256')
    .update(canonicalize(said) ?? '')
    .digest();
}
