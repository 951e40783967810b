import { Prisma } from '../../generated/prisma/client.ts';
import { toTypeId } from '../ids.ts';
import type { AuditEntry } from '../ledger/command.ts';
import { type AdministrationCode, isRefusal, type Refusal } from '../refusal.ts';
import { type Administrator, changeEnvironment } from './admin-change.ts';
import { findEnvironment } from './find-environment.ts';

/** Tags and lists work the same way; merchants use them for different purposes. Audiences can use both. */
export type LabelKind = 'tags' | 'lists';

/** The most tags, and the most lists, of one member. */
export const MOST_LABELS = 50;
/** The most members of one change. */
export const MOST_MEMBERS = 1_000;

export interface LabelChange {
  kind: LabelKind;
  /** Normalized by `normalizeLabel`. */
  labels: readonly string[];
  /** True to add the labels, false to remove them. */
  present: boolean;
}

/** The outcome of a change for each member that was named, by externalCustomerId. */
export interface LabelledMembers {
  changed: string[];
  /** The labels were as requested already. */
  unchanged: string[];
  /** Not in the environment, or erased. */
  unknown: string[];
  /** The member would have more than 50 labels of the kind: none were written for it. */
  full: string[];
}

interface LabelledRow {
  id: string;
  external_customer_id: string;
  outcome: 'changed' | 'unchanged' | 'full';
}

/**
 * Adds tags to members or members to lists, or removes them, in one transaction with its audit event: `member.tagged` or
 * `member.untagged`, `list.members_added` or `list.members_removed`. The event names the members that were changed, and
 * their environment as its target where they are several.
 * @param environmentId UUID
 * @param externalCustomerIds at most 1,000
 * @returns a refusal for an unknown environment
 */
export async function labelMembers(
  administrator: Administrator,
  environmentId: string,
  externalCustomerIds: readonly string[],
  change: LabelChange,
): Promise<LabelledMembers | Refusal<AdministrationCode>> {
  if (externalCustomerIds.length > MOST_MEMBERS) {
    throw new RangeError(`at most ${MOST_MEMBERS} members at once`);
  }
  return changeEnvironment<LabelledMembers>(administrator, environmentId, async (transaction) => {
    const environment = await findEnvironment(transaction, environmentId);
    if (isRefusal(environment)) return environment;
    const rows = await transaction.$queryRaw<LabelledRow[]>(
      labelStatement(environmentId, externalCustomerIds, change),
    );
    const of = (outcome: LabelledRow['outcome']): string[] =>
      rows.filter((row) => row.outcome === outcome).map((row) => row.external_customer_id);
    const found = new Set(rows.map((row) => row.external_customer_id));
    const unknown = [...new Set(externalCustomerIds)].filter((id) => !found.has(id));
    const changed = rows.filter(({ outcome }) => outcome === 'changed').map(({ id }) => toTypeId('mem', id));
    return {
      result: { changed: of('changed'), unchanged: of('unchanged'), unknown, full: of('full') },
      audit: auditOf(environmentId, change, changed),
    };
  });
}

/** Locks the members in the order of their ids, so that concurrent changes wait for each other without a deadlock. */
export function labelStatement(
  environmentId: string,
  externalCustomerIds: readonly string[],
  { kind, labels, present }: LabelChange,
): Prisma.Sql {
  const column = kind === 'tags' ? Prisma.raw('tags') : Prisma.raw('lists');
  const after = present
    ? Prisma.sql`select distinct label from unnest(before || ${[...labels]}::text[]) as label`
    : Prisma.sql`select label from unnest(before) as label where label <> all(${[...labels]}::text[])`;
  return Prisma.sql`
    with locked as (
      select id, external_customer_id, ${column} as before from members
      where environment_id = ${environmentId}::uuid
        and external_customer_id = any(${[...externalCustomerIds]}::text[])
        and status <> 'erased'
      order by id
      for no key update
    ),
    next as (
      select id, external_customer_id, before,
        array(select label from (${after}) as kept order by label collate "C") as after
      from locked
    ),
    written as (
      update members m set ${column} = next.after
      from next
      where m.environment_id = ${environmentId}::uuid and m.id = next.id
        and next.after <> next.before and cardinality(next.after) <= ${MOST_LABELS}::integer
      returning m.id
    )
    select next.id, external_customer_id,
      case when next.after = next.before then 'unchanged' when written.id is null then 'full' else 'changed' end
        as outcome
    from next left join written on written.id = next.id
    order by external_customer_id collate "C"`;
}

/** The labels themselves are typed by the merchant about its customers, so the audit trail has only how many there were. */
function auditOf(
  environmentId: string,
  { kind, labels, present }: LabelChange,
  changed: readonly string[],
): AuditEntry | null {
  const [member] = changed;
  if (member === undefined) return null;
  const tagging = present ? 'member.tagged' : 'member.untagged';
  const listing = present ? 'list.members_added' : 'list.members_removed';
  return {
    action: kind === 'tags' ? tagging : listing,
    ...(changed.length === 1
      ? { targetType: 'member', targetId: member }
      : { targetType: 'environment', targetId: toTypeId('env', environmentId) }),
    changes: { [kind]: labels.length, members: [...changed] },
  };
}
