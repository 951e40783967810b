import type { MemberRecord } from '../../ledger/tables/members.ts';
import type { ProfileRecord } from '../../ledger/tables/program-profiles.ts';

/** The available points of a profile that expire next: all that expire at that instant. */
export interface NextExpiry {
  points: number;
  at: Date;
}

/** A profile as it is now. `nextExpiry` is null where none of its available points expire. */
export type ProfileView = ProfileRecord & { nextExpiry: NextExpiry | null };

/** A member with the profiles of its programs, as they are at one moment. */
export interface MemberView {
  member: MemberRecord;
  profiles: ProfileView[];
}
