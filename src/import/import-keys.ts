import { createHash } from 'node:crypto';

const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/**
 * An idempotency key for a name: contains the name itself where it is visible ASCII, as a key must be, else its hash.
 */
export function importKey(name: string): string {
  if (VISIBLE_ASCII.test(name)) return `import:${name}`;
  return hashKey(name);
}

/** The idempotency key of a customer's enrollment in a program. Different pairs of ids have different keys. */
export function importEnrollmentKey(programId: string, externalCustomerId: string): string {
  return hashKey(JSON.stringify([programId, externalCustomerId]));
}

function hashKey(text: string): string {
  return `import-sha256:${createHash('sha256').update(text).digest('hex')}`;
}
