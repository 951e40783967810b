import { arrayLiteral } from '../../db/array-literal.ts';
import type { Index, Stored, TableOf } from './look-up.ts';
import { updatedTable } from './table.ts';

export interface MemberRecord {
  /** UUID */
  id: string;
  externalCustomerId: string;
  displayName: string | null;
  status: 'active' | 'suspended' | 'erased';
  identityStatus: 'verified' | 'unverified';
  consentStatus: 'granted' | 'withdrawn';
  noticeVersion: string;
  consentAt: Date;
  createdAt: Date;
  /** Set by the merchant. Audiences use tags and lists. */
  tags: readonly string[];
  lists: readonly string[];
}

/**
 * Whether a member may enter a program, earn and redeem: it is neither suspended nor erased, and the consent of its
 * identity is not withdrawn.
 */
export function isActive(member: MemberRecord | null): member is MemberRecord {
  return member?.status === 'active' && member.consentStatus === 'granted';
}

/** A member, by the id that the merchant chose. */
export type MemberSubject =
  | { kind: 'member'; externalCustomerId: string }
  /**
   * A member whose row the command changes, locked together with all profiles of the member. With `member`. Commands that
   * earn or redeem read the member after they have locked its profile, so they see the change or come before it.
   */
  | { kind: 'changedMember'; externalCustomerId: string };

export const members = updatedTable<MemberRecord, MemberSubject>({
  name: 'members',
  columns: {
    id: 'uuid',
    externalCustomerId: 'text',
    displayName: 'text',
    status: 'text',
    identityStatus: 'text',
    consentStatus: 'text',
    noticeVersion: 'text',
    consentAt: 'timestamptz',
    createdAt: 'timestamptz',
    tags: 'text[]',
    lists: 'text[]',
  },
  primaryKey: ['id'],
  constant: ['externalCustomerId', 'identityStatus', 'createdAt'],
  knownBy: { properties: ['externalCustomerId'], constraint: 'members_external_customer_id_key' },
  lookUps: [
    {
      name: 'lock_members',
      wantedBy: { changedMember: ['externalCustomerId'] },
      locks: true,
      // FOR UPDATE would wait for the foreign keys of every row that is being written for the member, while their batch
      // may be waiting for a profile.
      text: (select) => `select ${select('r')}
      from (select distinct external_customer_id from unnest($2::text[]) as wanted(external_customer_id) order by 1) wanted
      cross join lateral (
        select * from members
        where environment_id = $1::uuid and external_customer_id = wanted.external_customer_id
        limit 1
        for no key update
      ) r`,
      values: (wanted) => [arrayLiteral(wanted.map(({ externalCustomerId }) => externalCustomerId))],
      find(stored, { externalCustomerId }): MemberRecord[] {
        const member = stored(members).get(externalCustomerId);
        return member ? [member] : [];
      },
    },
    { name: 'load_members', wantedBy: { member: ['externalCustomerId'] } },
  ],
});

/** SQL for a lateral join: the id of the member whose external_customer_id is that of `wanted`. */
export const MEMBER_WANTED = `
        select id from members
        where environment_id = $1::uuid and external_customer_id = wanted.external_customer_id
        limit 1`;

/** The rows of a member in memory. @param values of the index after its first one, which is the member's id */
export function ofMember<R extends object>(
  stored: Stored,
  table: TableOf<R>,
  index: Index<R>,
  externalCustomerId: string,
  ...values: string[]
): R[] {
  const member = stored(members).get(externalCustomerId);
  return member ? stored(table).by(index, member.id, ...values) : [];
}
