/** Crockford's base32: no letter is taken for a digit. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 10;

/**
 * A referral code: the last 50 bits of a UUID, which are its random ones, as ten characters. Where two meet in one
 * program the unique index refuses the second, and the command is tried again with another UUID.
 */
export function referralCodeFrom(uuid: string): string {
  let bits = BigInt(`0x${uuid.replaceAll('-', '')}`);
  let code = '';
  for (let index = 0; index < LENGTH; index++) {
    code = `${ALPHABET[Number(bits & 31n)]}${code}`;
    bits >>= 5n;
  }
  return code;
}

/** A code as people type it: capitals or not, O and I and L for the digits that they look like. */
export function readReferralCode(typed: string): string {
  return typed.trim().toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1');
}

/** The code that came with a purchase; null where none did. */
export function referralCodeOf(
  attributes: Readonly<Record<string, unknown>> | null | undefined,
): string | null {
  const code = attributes?.referralCode;
  return typeof code === 'string' ? code : null;
}
