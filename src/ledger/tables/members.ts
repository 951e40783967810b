import { arrayLiteral } from '../../db/array-literal.ts';
import { OF_MEMBERS } from './handling.ts';
import type { Index, Stored, TableOf } from './look-up.ts';
import type { FormerMemberNeed } from './needs.ts';
import { RecordSet } from './record-set.ts';
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
  /** UUID of the member that this one was merged into: the last one, where that was merged again. Null for most. */
  mergedInto: string | null;
}

/**
 * A member as a look-up finds it, with the name that it was asked for by, and the id of the member of that name:
 * its own, or that of a member merged into it.
 */
type LookedUpMember = MemberRecord & { askedFor?: string; askedForId?: string };

/**
 * The members of a batch. The name of a member that was merged into another one finds the other one, as long as that
 * was so when the batch was loaded.
 */
export class MemberRows extends RecordSet<MemberRecord> {
  readonly #targets = new Map<string, string>();
  readonly #targetIds = new Map<string, string>();
  readonly #former = new Set<string>();

  constructor() {
    super((member) => member.externalCustomerId);
  }

  /** The names of merged members that the batch has asked for, with the name that each answers for. */
  get targets(): ReadonlyMap<string, string> {
    return this.#targets;
  }

  /** Whether the batch has loaded a member only because another one, which it asked for, has taken its name. */
  isMergedName(externalCustomerId: string): boolean {
    return this.#former.has(externalCustomerId);
  }

  /** Loads members that were merged into another one before: no command is about them. */
  loadFormer(records: readonly MemberRecord[]): void {
    for (const member of records) {
      this.load(member);
      this.#former.add(member.externalCustomerId);
      if (member.mergedInto !== null) this.#targetIds.set(member.id, member.mergedInto);
    }
  }

  /** The same, also where the member was merged by a command of the same batch. */
  byName(externalCustomerId: string): MemberRecord | null {
    return super.get(this.#targets.get(externalCustomerId) ?? externalCustomerId);
  }

  /** The id of the member that rows of a member belong to: another one where it was merged. @param memberId UUID */
  ownerId(memberId: string): string {
    return this.#targetIds.get(memberId) ?? memberId;
  }

  /** Whether a member is known to have been merged. @param memberId UUID */
  isMerged(memberId: string): boolean {
    return this.#targetIds.has(memberId);
  }

  /** Loads found members, each under the name that it was asked for by. */
  loadLookedUp(records: readonly LookedUpMember[]): void {
    for (const { askedFor, askedForId, ...member } of records) {
      this.load(member);
      if (!askedFor || askedFor === member.externalCustomerId) continue;
      this.#targets.set(askedFor, member.externalCustomerId);
      if (askedForId) this.#targetIds.set(askedForId, member.id);
    }
  }

  /**
   * The member that a name answers for.
   * @throws MemberMergedMeanwhile where a command of the same batch has merged that member into another one
   */
  override get(externalCustomerId: string): MemberRecord | null {
    const member = this.byName(externalCustomerId);
    if (member?.mergedInto) throw new MemberMergedMeanwhile();
    return member;
  }
}

/**
 * A command named a member that was merged into another one after the command's rows were loaded: it is tried again.
 */
export class MemberMergedMeanwhile extends Error {
  override name = 'MemberMergedMeanwhile';

  constructor() {
    super('the member was merged into another one after its rows were loaded');
  }
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
   * A member whose row the command changes, locked together with all profiles of the member. With `member`. Commands
   * that earn or redeem read the member after they have locked its profile, so they see the change or come before it.
   */
  | { kind: 'changedMember'; externalCustomerId: string }
  /**
   * A member that is to be merged: the members that were merged into it, all of its limits' counters, and for each of
   * its profiles, which are locked, every lot that has points, owes some or is owed some. With `changedMember`,
   * `profiles`.
   */
  | { kind: 'mergingMember'; externalCustomerId: string };

/** SQL for a lateral join: the id of the member that external_customer_id of an alias answers for. */
export const memberWanted = (alias: string): string => `
        select coalesce(merged_into, id) as id from members
        where environment_id = $1::uuid and external_customer_id = ${alias}.external_customer_id
        limit 1`;

/** The same for the alias `wanted`. */
export const MEMBER_WANTED = memberWanted('wanted');

export const members = updatedTable<MemberRecord, MemberSubject | FormerMemberNeed, MemberRows>({
  name: 'members',
  handling: {
    owner: { members: ['id'] },
    exported: { as: 'member', ids: { id: 'mem', merged_into: 'mem' }, order: ['id'] },
    erasure: 'own_step',
    ...OF_MEMBERS,
  },
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
    mergedInto: 'uuid',
  },
  primaryKey: ['id'],
  constant: ['externalCustomerId', 'identityStatus', 'createdAt'],
  knownBy: { properties: ['externalCustomerId'], constraint: 'members_external_customer_id_key' },
  checks: { members_merged_into_check: (row) => row.mergedInto !== row.id },
  lookUps: [
    {
      name: 'lock_members',
      keyProperties: { changedMember: ['externalCustomerId'] },
      locks: true,
      // FOR UPDATE would wait for the foreign keys of every row that is being written for the member, while their batch
      // may be waiting for a profile.
      text: (select) => `select ${select('r')}, asked.name as "askedFor"
      from (
        select distinct m.id, wanted.external_customer_id as name
        from unnest($2::text[]) as wanted(external_customer_id)
        cross join lateral (${MEMBER_WANTED}) m
        order by 1, 2
      ) asked
      cross join lateral (
        select * from members where environment_id = $1::uuid and id = asked.id limit 1 for no key update
      ) r`,
      values: (keys: readonly MemberSubject[]) => [
        arrayLiteral(keys.map(({ externalCustomerId }) => externalCustomerId)),
      ],
      find: (stored, { externalCustomerId }: MemberSubject): LookedUpMember[] =>
        findMember(stored, externalCustomerId),
      fill: (rows, found) => rows.loadLookedUp(found),
    },
    {
      name: 'load_members',
      keyProperties: { member: ['externalCustomerId'] },
      text: (
        select,
      ) => `select ${select('r')}, wanted.external_customer_id as "askedFor", r.asked_for_id as "askedForId"
      from unnest($2::text[]) as wanted(external_customer_id)
      cross join lateral (${memberAnswering('external_customer_id = wanted.external_customer_id')}
      ) r`,
      values: (keys: readonly MemberSubject[]) => [
        arrayLiteral(keys.map(({ externalCustomerId }) => externalCustomerId)),
      ],
      find: (stored, { externalCustomerId }: MemberSubject): LookedUpMember[] =>
        findMember(stored, externalCustomerId),
      fill: (rows, found) => rows.loadLookedUp(found),
    },
    {
      // A member whose rows were found, while the batch asks for another one: it may have been merged into that one.
      name: 'load_former_members',
      keyProperties: { formerMember: ['memberId'] },
      text: (select) => `select ${select('r')}
      from unnest($2::uuid[]) as wanted(id)
      cross join lateral (
        select * from members where environment_id = $1::uuid and id = wanted.id limit 1
      ) r`,
      values: (wanted: readonly FormerMemberNeed[]) => [arrayLiteral(wanted.map(({ memberId }) => memberId))],
      find: (stored, { memberId }: FormerMemberNeed): MemberRecord[] => stored(members).by(byId, memberId),
      fill: (rows, found) => rows.loadFormer(found),
    },
    {
      // The members that were merged into one that is to be merged itself. Their rows are guarded by its lock.
      name: 'load_merged_members',
      keyProperties: { mergingMember: ['externalCustomerId'] },
      text: (select) => `select ${select('r')}
      from unnest($2::text[]) as wanted(external_customer_id)
      cross join lateral (${MEMBER_WANTED}) m
      cross join lateral (
        select * from members where environment_id = $1::uuid and merged_into = m.id offset 0
      ) r`,
      values: (keys: readonly MemberSubject[]) => [
        arrayLiteral(keys.map(({ externalCustomerId }) => externalCustomerId)),
      ],
      find: (stored, { externalCustomerId }: MemberSubject): MemberRecord[] =>
        ofMember(stored, members, ofTarget, externalCustomerId),
      fill: (rows, found) => rows.loadFormer(found),
    },
  ],
  newRows: () => new MemberRows(),
});

const ofTarget: Index<MemberRecord> = {
  properties: ['mergedInto'],
  includes: (row) => row.mergedInto !== null,
};
const byId: Index<MemberRecord> = { properties: ['id'] };

/** The member that a name answers for, in memory. */
export function targetOf(stored: Stored, externalCustomerId: string): MemberRecord | null {
  const named = stored(members).get(externalCustomerId);
  if (!named || named.mergedInto === null) return named ?? null;
  return stored(members).by(byId, named.mergedInto)[0] ?? null;
}

function findMember(stored: Stored, externalCustomerId: string): LookedUpMember[] {
  const member = targetOf(stored, externalCustomerId);
  const askedForId = stored(members).get(externalCustomerId)?.id;
  return member && askedForId ? [{ ...member, askedFor: externalCustomerId, askedForId }] : [];
}

/**
 * SQL for a lateral join: the member that a name or an id of `wanted` answers for, and the id of the one that it is of.
 * Both parts are planned, and the second one runs only where that one was merged.
 * @param is condition on the column of members that is wanted
 */
export function memberAnswering(is: string): string {
  return `
        select members.*, id as asked_for_id from members
        where environment_id = $1::uuid and ${is} and merged_into is null
        union all
        select target.*, merged.id
        from (select id, merged_into from members where environment_id = $1::uuid and ${is}) merged
        cross join lateral (
          select * from members where environment_id = $1::uuid and id = merged.merged_into limit 1
        ) target
        limit 1`;
}

/** SQL: the id of the member that rows of a member belong to: another one where it was merged. @param column its id */
export function presentOwner(column: string): string {
  return `coalesce((
          select merged_into from members where environment_id = $1::uuid and id = ${column} limit 1
        ), ${column})`;
}

/** The same in memory. @param memberId UUID */
export function presentOwnerIn(stored: Stored, memberId: string): string {
  return stored(members).by(byId, memberId)[0]?.mergedInto ?? memberId;
}

/** The rows of a member in memory. @param values of the index after its first one, which is the member's id */
export function ofMember<R extends object>(
  stored: Stored,
  table: TableOf<R>,
  index: Index<R>,
  externalCustomerId: string,
  ...values: string[]
): R[] {
  const member = targetOf(stored, externalCustomerId);
  return member ? stored(table).by(index, member.id, ...values) : [];
}
