import { createHash } from 'node:crypto';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';

/** Ids of the campaigns that are withheld from a member: the first twelve hexadecimal digits of a hash decide. */
export function heldOutOf({ campaigns = [] }: ProgramDocument, externalCustomerId: string): Set<string> {
  const withheld = campaigns.filter(({ holdout }) => {
    if (!holdout) return false;
    const hash = createHash('sha256').update(`${holdout.salt}${externalCustomerId}`, 'utf8').digest('hex');
    const hundredths = BigInt(Math.round(holdout.percent * 100));
    return BigInt(`0x${hash.slice(0, 12)}`) % 10_000n < hundredths;
  });
  return new Set(withheld.map(({ id }) => id));
}
