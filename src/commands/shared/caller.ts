import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { inputShapes } from '../../contract/generated/input-shapes.ts';
import type { Mutation } from '../../contract/generated/types.ts';
import type { InputShape } from '../../contract/input-shape.ts';
import { toTypeId } from '../../ids.ts';
import type { Actor, Command } from '../../ledger/command.ts';

/** On whose behalf a command runs. */
export interface Caller {
  /** UUID. */
  environmentId: string;
  actor: Actor;
  requestId: string;
}

/** The part that every mutation's input has: an idempotency key. */
export interface Keyed {
  idempotencyKey: string;
}

/** The parts of a command that follow from the caller and the input. */
export type Envelope = Pick<
  Command,
  'environmentId' | 'operation' | 'idempotencyKey' | 'fingerprint' | 'actor' | 'requestId'
>;

/**
 * Makes the parts of a command that follow from the caller and a validated input.
 * @param operation SDL name of the mutation. Idempotency keys are unique within it, on every surface alike
 */
export function envelope(operation: keyof Mutation, input: Keyed, caller: Caller): Envelope {
  return envelopeOf(operation, input, inputShapes[operation], caller);
}

/** The commands that only imports submit: schema.graphql has no mutation for them. */
export type ImportOperationName = 'openBalance' | 'settleExchange' | 'reverseExchange';

/**
 * Makes the same parts of a command that only imports submit.
 * @param input of plain values, without lists and objects
 */
export function importEnvelope(operation: ImportOperationName, input: Keyed, caller: Caller): Envelope {
  return envelopeOf(operation, input, {}, caller);
}

function envelopeOf(operation: string, input: Keyed, shape: InputShape, caller: Caller): Envelope {
  return {
    environmentId: caller.environmentId,
    operation,
    idempotencyKey: input.idempotencyKey,
    fingerprint: fingerprintOf(input, shape),
    actor: caller.actor,
    requestId: caller.requestId,
  };
}

/**
 * SHA-256 of the canonical JSON (RFC 8785) of an input without its idempotency key. An input with an optional property
 * that is null or an empty list has the same fingerprint as the input without that property. Where the contract has a
 * default, null has the same fingerprint as the default. Inside free-form JSON of the client a null is a value and is
 * kept.
 * @param shape the shape of the operation's input
 */
export function fingerprintOf(input: Keyed, shape: InputShape): Buffer {
  const { idempotencyKey: _key, ...content } = input;
  return createHash('sha256')
    .update(canonicalize(normalized(content, shape)) ?? '')
    .digest();
}

/**
 * Replaces nulls by the contract's defaults, and leaves out empty lists and nulls without a default. When a command is
 * made, absent properties have been replaced by their defaults already; explicit nulls have not.
 */
function normalized(value: object, shape: InputShape): object {
  if (Array.isArray(value)) return value.map((item) => (isObject(item) ? normalized(item, shape) : item));
  const result: Record<string, unknown> = Object.create(null);
  for (const [name, raw] of Object.entries(value)) {
    // The shape matters only for null, objects and lists. Most values are plain, so the look-up is skipped for them.
    const field = typeof raw === 'object' ? shape[name] : undefined;
    const item = raw === null ? field?.default : raw;
    if (item === undefined || (Array.isArray(item) && item.length === 0)) continue;
    result[name] = field?.fields && isObject(item) ? normalized(item, field.fields) : item;
  }
  return result;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/**
 * The actor of what a customer does. Who it was is erased with the customer: the trail names who vouched for it, and
 * what was changed.
 * @param issuerId UUID of the issuer of the customer's token
 */
export function customerActor({ issuerId }: { issuerId: string }): Actor {
  return { type: 'customer', id: toTypeId('iss', issuerId) };
}

/** The actor of what a member does in a widget: the widget, for the same reason. @param deploymentId TypeID */
export function widgetActor({ deploymentId }: { deploymentId: string }): Actor {
  return { type: 'customer', id: deploymentId };
}
