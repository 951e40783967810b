import type { Owner } from '../ledger/owner.ts';
import type { MemberRecord, ProfileRecord } from '../ledger/records.ts';
import type { Owned } from './owners.ts';

/** A member with the profiles of its programs, as one statement read them. */
export interface MemberView {
  member: MemberRecord;
  profiles: ProfileRecord[];
}

/** Every read of the service. Each is one statement, in one snapshot, in one environment. */
export interface Queries {
  /** @returns null where the environment has no such member. */
  member(environmentId: string, externalCustomerId: string): Promise<MemberView | null>;
  /** Whose points a thing is about. @returns null where the environment has no such thing */
  owner(environmentId: string, owned: Owned): Promise<Owner | null>;
}
