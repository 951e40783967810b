import type { MemberRecord } from '../../ledger/tables/members.ts';
import type { ProfileRecord } from '../../ledger/tables/program-profiles.ts';

/** The next instant at which available points of a profile expire, and how many expire then. */
export interface NextExpiry {
  points: number;
  at: Date;
}

/** A profile with its next expiry; null where none of its available points expire. */
export type ProfileView = ProfileRecord & { nextExpiry: NextExpiry | null };

/** A member with its profiles, all read at one instant. */
export interface MemberView {
  member: MemberRecord;
  profiles: ProfileView[];
}
