import { createHmac } from 'node:crypto';
import type { Statement } from '../../db/statement.ts';
import { keyOf } from './key-of.ts';

/** What is named by a reference that can be used once: a kind of subject, or an idempotency key. */
const KINDS = [
  'order',
  'return',
  'customEvent',
  'choiceClaim',
  'exchangeSettlement',
  'idempotencyKey',
] as const;

export type ReferenceKind = (typeof KINDS)[number];

/** Whether things of this kind are named by references that can be used once. */
export function isReferenceKind(kind: string): kind is ReferenceKind {
  return (KINDS as readonly string[]).includes(kind);
}

/** A reference with what it names, as one text. @param names the reference; of a key its operation and the key */
export function referenceName(kind: ReferenceKind, ...names: string[]): string {
  return keyOf(kind, ...names);
}

/**
 * What is stored of a reference that an erasure has renamed: an HMAC-SHA-256. Without the secret nobody can tell by it
 * whether a guessed reference is the one.
 * @param secret of the environment, in hexadecimal
 * @param name as `referenceName` makes it
 */
export function referenceHash(secret: string, name: string): Buffer {
  return createHmac('sha256', Buffer.from(secret, 'hex')).update(name).digest();
}

/**
 * Finds which references erasures have renamed. A batch sends it after the look-ups of the rows that had these names:
 * where such a look-up does not find its row any more, the hash is there.
 */
export function findErasedReferences(environmentId: string, hashes: readonly Buffer[]): Statement {
  return {
    name: 'find_erased_references',
    text: `select hash from erased_references where environment_id = $1::uuid and hash = any($2::bytea[])`,
    values: [environmentId, hashes],
  };
}
