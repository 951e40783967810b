import type { PlainProgram } from '../programs/program.ts';
import { earn } from './earning.ts';
import { lay, putBack } from './ledger.ts';
import { type Model, type ModelProfile, nameOf } from './model.ts';
import type { Moment } from './moment.ts';
import type { Purchase } from './purchase-input.ts';

/** A referral that is to be paid. */
interface PaidReferral {
  /** The name of the referrer's profile. */
  referrer: string;
  refereePoints: number;
  /** What the answer says of it. */
  said: { code: string; referrerPoints: number; refereePoints: number };
  /** Gives the referrer its points. */
  pay(): void;
}

interface Referred {
  program: PlainProgram;
  /** The referee's, before the purchase. */
  profile: ModelProfile;
  occurredAt: number;
  at: number;
}

/** The referral that a purchase comes with; null where there is none to be paid. */
export function referralOf(
  model: Model,
  { programId, externalCustomerId, amountMinor, context }: Purchase,
  { now, found }: Moment,
  { program, profile, occurredAt, at }: Referred,
): PaidReferral | null {
  const typed = context?.attributes.referralCode;
  const { referral } = program;
  if (!typed || !referral || !found) return null;
  const name = model.names.get(`${programId} ${typed}`) ?? '';
  const referrer = model.profiles.get(name);
  if (!referrer?.enrolled || name === nameOf(programId, externalCustomerId)) return null;
  const { referrerPoints, refereePoints, leastAmountMinor, mostPerReferrer } = referral;
  if (profile.purchases > 0 || amountMinor < leastAmountMinor) return null;
  if (mostPerReferrer !== null && referrer.referrals >= mostPerReferrer) return null;
  return {
    referrer: name,
    refereePoints,
    said: { code: typed, referrerPoints, refereePoints },
    pay() {
      const purse = lay(referrer, now);
      earn(purse, program, { order: null, points: referrerPoints, occurredAt, at });
      putBack(model, name, purse, { referrals: referrer.referrals + 1 });
    },
  };
}
