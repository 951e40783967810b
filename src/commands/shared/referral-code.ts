import { CODE_ALPHABET } from '../../rules/shared/coupon-code.ts';

const LENGTH = 10;

/**
 * A referral code: the last 50 bits of a UUID, which are random, as ten characters. Where two profiles of a program get
 * the same code, the unique index refuses the second one, and the command is tried again with another UUID.
 */
export function referralCodeFrom(uuid: string): string {
  let bits = BigInt(`0x${uuid.replaceAll('-', '')}`);
  let code = '';
  for (let index = 0; index < LENGTH; index++) {
    code = `${CODE_ALPHABET[Number(bits & 31n)]}${code}`;
    bits >>= 5n;
  }
  return code;
}

/** The canonical spelling of a typed code: in capitals, with O as 0, and I and L as 1. */
export function readReferralCode(typed: string): string {
  return typed.trim().toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1');
}

/** The referral code of a purchase's attributes; null where there is none. */
export function referralCodeOf(
  attributes: Readonly<Record<string, unknown>> | null | undefined,
): string | null {
  const code = attributes?.referralCode;
  return typeof code === 'string' ? code : null;
}
