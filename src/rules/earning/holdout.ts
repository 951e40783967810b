import { createHash } from 'node:crypto';
import type { Holdout } from '../../programs/document/campaign-document.ts';
import type { ProgramDocument } from '../../programs/document/program-document.ts';
import { compileProgram } from '../compiled/compiled-program.ts';

/** Members are divided into so many buckets; so a hundredth of a percent is one of them. */
export const BUCKETS = 10_000;

const NONE: ReadonlySet<string> = new Set();

/**
 * The campaigns of a program that are withheld from a member. It depends on the salts and the externalCustomerId alone,
 * so it is the same on every server and at any time, and merchants can compute it too.
 * @param externalCustomerId null for a purchase that nobody has made yet: none is withheld from it
 * @returns ids of campaigns
 */
export function heldOutOf(
  document: ProgramDocument,
  externalCustomerId: string | null | undefined,
): ReadonlySet<string> {
  const { campaignsWithHoldout } = compileProgram(document);
  if (!externalCustomerId || campaignsWithHoldout.length === 0) return NONE;
  return new Set(
    campaignsWithHoldout.flatMap(({ id, holdout }) => (isHeldOut(holdout, externalCustomerId) ? [id] : [])),
  );
}

function isHeldOut({ percent, salt }: Holdout, externalCustomerId: string): boolean {
  return bucketOf(salt, externalCustomerId) < Math.round((percent * BUCKETS) / 100);
}

/**
 * A member's bucket, 0 to 9999: the first six bytes of the SHA-256 of salt and externalCustomerId (UTF-8, one after the
 * other) as a big-endian integer, modulo 10,000.
 */
export function bucketOf(salt: string, externalCustomerId: string): number {
  return createHash('sha256').update(salt).update(externalCustomerId).digest().readUIntBE(0, 6) % BUCKETS;
}
