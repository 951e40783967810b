import type { Index, Stored, TableOf } from './look-up.ts';
import { insertedTable } from './table.ts';

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

/** A member, by the id that the merchant chose. */
export interface MemberSubject {
  kind: 'member';
  externalCustomerId: string;
}

export const members = insertedTable<MemberRecord, MemberSubject>({
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
  lookUps: [{ name: 'load_members', wantedBy: { member: ['externalCustomerId'] } }],
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
