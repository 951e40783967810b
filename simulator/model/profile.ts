import type { ModelPoints } from './points.ts';

/** A member in a program. */
export interface ModelProfile extends ModelPoints {
  enrolled: boolean;
  tier: string;
  qualificationPoints: number;
  /**
   * Qualification by calendar year: the start of the year. Over rolling 12 months: the day of enrollment or of the last
   * downgrade. Over the lifetime: null.
   */
  countedSince: number | null;
  /** The qualification points by UTC day over rolling 12 months; null otherwise. */
  earned: readonly { day: number; points: number }[] | null;
  /** Names of the open quotes. */
  quotes: readonly string[];
  purchases: number;
  /** Sum of the purchases, less what was returned. */
  spentMinor: number;
  /** Whether the profile has a referral code. */
  hasCode: boolean;
  /** The name of the referrer's profile; null where the member was not referred. */
  referredBy: string | null;
  /** How many referrals this profile was rewarded for. */
  referrals: number;
}
