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
    tags: { type: 'text[]', readOnly: true },
    lists: { type: 'text[]', readOnly: true },
  },
  primaryKey: ['id'],
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
  change: {
    // Only what commands change: an upsert of the whole row would lock its keys, and undo a change of tags. Each row is
    // found by its whole key in a subquery and updated by its ctid, as in `reverse_transactions`.
    statement: (environmentId, rows) => ({
      name: 'change_members',
      text: `update members m
      set display_name = r.display_name, status = r.status, consent_status = r.consent_status,
        notice_version = r.notice_version, consent_at = r.consent_at
      from (
        select row.ctid as place, wanted.*
        from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[])
          as wanted(id, display_name, status, consent_status, notice_version, consent_at)
        cross join lateral (
          select ctid from members where environment_id = $1::uuid and id = wanted.id limit 1 for no key update
        ) row
      ) r
      where m.ctid = r.place`,
      values: [
        environmentId,
        arrayLiteral(rows.map((row) => row.id)),
        arrayLiteral(rows.map((row) => row.displayName)),
        arrayLiteral(rows.map((row) => row.status)),
        arrayLiteral(rows.map((row) => row.consentStatus)),
        arrayLiteral(rows.map((row) => row.noticeVersion)),
        arrayLiteral(rows.map((row) => row.consentAt.toISOString())),
      ],
    }),
    inMemory: (before, { displayName, status, consentStatus, noticeVersion, consentAt }) => ({
      ...before,
      displayName,
      status,
      consentStatus,
      noticeVersion,
      consentAt,
    }),
  },
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
