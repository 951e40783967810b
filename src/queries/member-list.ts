import type { ListedMember, MemberFilter } from '../contract/generated/types.ts';
import type { Statement } from '../db/statement.ts';
import { toTypeId } from '../ids.ts';
import { type MemberRecord, members } from '../ledger/tables/members.ts';
import { isRefusal, type Refusal, refuse } from '../refusal.ts';
import type { Position } from './shared/cursors.ts';
import {
  AFTER_EVERY_ID,
  type Criteria,
  type ListRow,
  listStatement,
  pageOfRows,
  programExists,
  Values,
} from './shared/list-page.ts';
import type { ListAccess, Listed, PageRequest } from './shared/listed.ts';

type Row = ListRow & MemberRecord & { programs: { programId: string; tier: string; enrolled: boolean }[] };

/** Every criterion that is not null has to be met. */
export type MemberCriteria = Criteria<MemberFilter>;

const tierWithoutProgram = refuse('validation_failed', 'A tier is one of a program: name the program too.', [
  { path: 'programId', message: 'must be given with tier' },
]);

/**
 * Lists members: newest first; by externalCustomerId under a prefix of it; by name under a prefix of the name. A page
 * is limited in the bytes of labels, and in the members that are looked through for filters that no index answers; it
 * may be short or empty although more follows.
 * @returns refusals: `validation_failed` for a tier without its program, `invalid_cursor`
 */
export async function listOfMembers(
  { connections, cursors, environmentId }: ListAccess,
  filter: MemberFilter,
  { limit, cursor }: PageRequest,
): Promise<Listed<ListedMember> | Refusal> {
  const criteria = criteriaOf(filter);
  if (criteria.tier !== null && criteria.programId === null) return tierWithoutProgram;
  const identity = { environmentId, list: 'members', filter: criteria };
  const after = await cursors.read(identity, cursor);
  if (after && isRefusal(after)) return after;
  const { rows } = await connections.query<Row>(listMembers(environmentId, criteria, after, limit));
  return pageOfRows(rows, limit, viewOf, cursors, identity);
}

function criteriaOf(filter: MemberFilter): MemberCriteria {
  return {
    externalCustomerIdPrefix: filter.externalCustomerIdPrefix ?? null,
    displayNamePrefix: filter.displayNamePrefix ?? null,
    tag: filter.tag ?? null,
    list: filter.list ?? null,
    programId: filter.programId ?? null,
    tier: filter.tier ?? null,
    status: filter.status ?? null,
  };
}

function viewOf(row: Row): ListedMember {
  return {
    id: toTypeId('mem', row.id),
    externalCustomerId: row.externalCustomerId,
    displayName: row.displayName,
    status: row.status,
    consentStatus: row.consentStatus,
    identityStatus: row.identityStatus,
    createdAt: row.createdAt.toISOString(),
    tags: [...row.tags],
    lists: [...row.lists],
    programs: row.programs.map(({ programId, tier, enrolled }) => ({
      programId,
      tier,
      status: enrolled ? 'enrolled' : 'unenrolled',
    })),
  };
}

/** What leads to the members of a list, and which criteria it leaves to be checked. */
interface Source {
  source: string;
  from: string;
  order: readonly string[];
  direction: 'asc' | 'desc';
  /** The criteria that it answers. */
  answers: readonly (keyof MemberCriteria)[];
}

const ITSELF = 'cross join lateral (select s.*) r';
const MEMBERS = 'from members where environment_id = $1::uuid';
/** The condition of the index members_labelled. */
const LABELLED = "(tags <> '{}' or lists <> '{}')";

/**
 * Reads a page of members. What leads to them is, of the criteria that there are, the first of: the prefix of the
 * externalCustomerId, that of the name, a status other than `active`, the tier, a label; else their ids. The others are
 * checked for each.
 * @param after the position of the last member that the page before has looked at: the values of the order
 */
export function listMembers(
  environmentId: string,
  criteria: MemberCriteria,
  after: Position | null,
  limit: number,
): Statement {
  const values = new Values(environmentId, limit);
  const program = criteria.programId === null ? null : values.add(criteria.programId);
  const programCondition = program === null ? '' : ` and ${programExists(program)}`;
  const { source, from, order, direction, answers } = sourceOf(criteria, values, {
    after,
    program,
    programCondition,
  });
  return listStatement({
    source,
    from,
    checked: checksOf(criteria, values, { program, answers }),
    order,
    direction,
    bytes: 'octet_length(r.tags::text) + octet_length(r.lists::text)',
    columns: `${members.select('r')}, p.programs`,
    joins: `left join lateral (
        select coalesce(json_agg(json_build_object('programId', program_id, 'tier', tier, 'enrolled', enrolled)
          order by program_id), '[]') as programs
        from program_profiles
        where environment_id = $1::uuid and member_id = r.id
      ) p on true`,
    values: values.all,
  });
}

function sourceOf(
  criteria: MemberCriteria,
  values: Values,
  {
    after,
    program,
    programCondition,
  }: { after: Position | null; program: string | null; programCondition: string },
): Source {
  const { externalCustomerIdPrefix: idPrefix, displayNamePrefix: namePrefix, status, tier } = criteria;
  if (idPrefix !== null) return byExternalId(idPrefix, values, { after, programCondition });
  if (namePrefix !== null) return byName(namePrefix, values, { after, programCondition });
  const before = values.add(after?.[0] ?? AFTER_EVERY_ID);
  const following = `id < ${before}::uuid${programCondition}`;
  const newest = { from: ITSELF, order: ['id'], direction: 'desc' } as const;
  if (status !== null && status !== 'active') {
    const source = `select * ${MEMBERS} and status = '${status}' and status <> 'active' and ${following} order by id desc`;
    return { ...newest, source, answers: ['status'] };
  }
  if (tier !== null) {
    const source = `select member_id as id from program_profiles
        where environment_id = $1::uuid and program_id = ${program} and tier = ${values.add(tier)} and enrolled
          and member_id < ${before}::uuid
        order by member_id desc`;
    const from =
      'cross join lateral (select * from members where environment_id = $1::uuid and id = s.id limit 1) r';
    return { ...newest, source, from, answers: ['programId', 'tier'] };
  }
  const labelled = criteria.tag !== null || criteria.list !== null ? ` and ${LABELLED}` : '';
  return {
    ...newest,
    source: `select * ${MEMBERS}${labelled} and ${following} order by id desc`,
    answers: [],
  };
}

/** In the order of the ids' bytes in UTF-8, which the column is compared by. */
function byExternalId(
  prefix: string,
  values: Values,
  { after, programCondition }: { after: Position | null; programCondition: string },
): Source {
  const end = endOfPrefix(prefix);
  const bounds = [`external_customer_id >= ${values.add(prefix)}`];
  if (end !== null) bounds.push(`external_customer_id < ${values.add(end)}`);
  if (after) bounds.push(`external_customer_id > ${values.add(after[0])}`);
  return {
    source: `select * ${MEMBERS} and ${bounds.join(' and ')}${programCondition} order by external_customer_id`,
    from: ITSELF,
    order: ['external_customer_id'],
    direction: 'asc',
    answers: ['externalCustomerIdPrefix'],
  };
}

/**
 * In the order of the names in lower case, by their bytes in UTF-8. Postgres makes both sides lower in the same way.
 */
function byName(
  prefix: string,
  values: Values,
  { after, programCondition }: { after: Position | null; programCondition: string },
): Source {
  const least = `lower(${values.add(prefix)}::text)`;
  const bounds = [
    `lower(display_name) collate "C" >= ${least}`,
    // What begins with the prefix comes before the prefix with the last character of Unicode.
    `lower(display_name) collate "C" < ${least} || U&'\\+10FFFF'`,
  ];
  if (after) {
    const [name, id] = [values.add(after[0]), values.add(after[1])];
    bounds.push(`(lower(display_name) collate "C", id) > (${name}::text, ${id}::uuid)`);
  }
  return {
    source: `select *, lower(display_name) collate "C" as name_key ${MEMBERS} and display_name is not null
          and ${bounds.join(' and ')}${programCondition}
        order by lower(display_name) collate "C", id`,
    from: ITSELF,
    order: ['name_key', 'id'],
    direction: 'asc',
    answers: ['displayNamePrefix'],
  };
}

function checksOf(
  criteria: MemberCriteria,
  values: Values,
  { program, answers }: { program: string | null; answers: Source['answers'] },
): string[] {
  const { displayNamePrefix, tag, list, tier, status } = criteria;
  const checks: string[] = [];
  if (displayNamePrefix !== null && !answers.includes('displayNamePrefix')) {
    checks.push(`starts_with(lower(r.display_name), lower(${values.add(displayNamePrefix)}::text))`);
  }
  if (status !== null && !answers.includes('status')) checks.push(`r.status = '${status}'`);
  if (tag !== null) checks.push(`${values.add(tag)}::text = any (r.tags)`);
  if (list !== null) checks.push(`${values.add(list)}::text = any (r.lists)`);
  if (program !== null && !answers.includes('programId')) {
    // `offset 0` keeps the planner from reading all profiles of the tier.
    const inTier = tier === null ? '' : ` and p.tier = ${values.add(tier)}`;
    checks.push(`exists (
            select from program_profiles p
            where p.environment_id = $1::uuid and p.member_id = r.id and p.program_id = ${program} and p.enrolled${inTier}
            offset 0
          )`);
  }
  return checks;
}

/**
 * The first text, by code points, after all that begin with the prefix; null where there is none. UTF-8 keeps the order
 * of code points.
 */
export function endOfPrefix(prefix: string): string | null {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    // UTF-8 has no surrogates.
    const next = last === 0xd7ff ? 0xe000 : last + 1;
    if (next <= 0x10ffff) return String.fromCodePoint(...points, next);
  }
  return null;
}
