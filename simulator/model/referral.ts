import { documentOf, type PlainProgram } from '../programs/program.ts';
import { referenceReferral } from './award/referral.ts';
import { earn, pendingUntil, tellOfAward } from './earning.ts';
import { settledBalance, storeBalance } from './ledger.ts';
import { type Model, nameOf } from './model.ts';
import type { Moment } from './moment.ts';
import type { ModelProfile } from './profile.ts';
import type { Purchase } from './purchase-input.ts';

/** A referral that is to be rewarded. */
interface PaidReferral {
  /** The name of the referrer's profile. */
  referrer: string;
  refereePoints: number;
  /** The referral as the receipt shows it. */
  receipt: { code: string; referrerPoints: number; refereePoints: number };
  /** Whether both members keep their points when the purchase is returned. */
  isKept: boolean;
  /** Credits the referrer's points. @returns the index of the lot; null for 0 points */
  pay(): number | null;
}

interface Referred {
  program: PlainProgram;
  /** The referee's profile, before the purchase. */
  profile: ModelProfile;
  occurredAt: number;
  at: number;
}

/** The referral of a purchase; null where none is rewarded. */
export function referralOf(
  model: Model,
  { programId, externalCustomerId, amountMinor, context, sourceReference }: Purchase,
  { now, isFound }: Moment,
  { program, profile, occurredAt, at }: Referred,
): PaidReferral | null {
  const typed = context?.attributes.referralCode;
  const { referral } = program;
  if (!typed || !referral || !isFound) return null;
  const name = model.names.get(`${programId} ${typed}`) ?? '';
  const referrer = model.profiles.get(name);
  if (!referrer?.enrolled || name === nameOf(programId, externalCustomerId)) return null;
  if (referrer.referredBy === nameOf(programId, externalCustomerId)) return null;
  if (!model.isActive(name.slice(nameOf(programId, '').length))) return null;
  const [referrerPoints, refereePoints] = referenceReferral(documentOf(program).referral, {
    ofAnother: true,
    purchasesBefore: profile.purchases,
    amountMinor,
    rewardedFor: referrer.referrals,
  });
  if (referrerPoints + refereePoints === 0) return null;
  return {
    referrer: name,
    refereePoints,
    receipt: { code: typed, referrerPoints, refereePoints },
    isKept: referral.onReturn === 'keep',
    pay() {
      const balance = settledBalance(referrer, now);
      const lot = earn(balance, program, { order: null, points: referrerPoints, occurredAt, at });
      storeBalance(model, name, balance, { referrals: referrer.referrals + 1 });
      const told = {
        occurredAt: new Date(occurredAt).toISOString(),
        sourceReference,
        points: referrerPoints,
        activatesAt: pendingUntil(balance, lot),
      };
      tellOfAward(model, name, 'referral.awarded', told);
      return lot;
    },
  };
}
