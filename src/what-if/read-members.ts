import type { ClientBase } from 'pg';
import { readByCursor } from '../db/read-by-cursor.ts';
import type { MemberRecord } from '../ledger/tables/members.ts';
import type { EnrollmentChange } from './enrollment-course.ts';

/** What a simulation needs to know of a member of a program. */
export interface ProgramMember {
  member: MemberRecord;
  /** Enrollments and their ends, in order of time. */
  enrollments: readonly EnrollmentChange[];
  /** The member's referral code in the ledger, as past purchases contain it. */
  referralCode: string | null;
}

interface MemberRow {
  id: string;
  external_customer_id: string;
  tags: string[];
  lists: string[];
  enrolled_at: Date;
  referral_code: string | null;
  /** Instant of the first consent; null where none is recorded. */
  first_at: Date | null;
  first_id: string | null;
  /** Instant, id and status of every consent; null where there is at most one, as for nearly all members. */
  consents: [at: string, id: string, status: string][] | null;
}

/**
 * Reads everyone who ever enrolled in a program, with all enrollments and their ends, which follow from the records of
 * consent. Tags and lists are those of today.
 */
export async function* readMembers(
  client: ClientBase,
  environmentId: string,
  programId: string,
): AsyncGenerator<ProgramMember> {
  const rows = readByCursor<MemberRow>(
    client,
    'members_of_program',
    `select m.id, m.external_customer_id, m.tags, m.lists, p.referral_code, p.enrolled_at,
        c.first_at, c.first_id, c.consents
      from program_profiles p
      join members m on m.environment_id = p.environment_id and m.id = p.member_id
      left join (
        select member_id, min(at) as first_at, (array_agg(id))[1] as first_id,
          case when count(*) > 1 then json_agg(json_build_array(at, id, status) order by at, id) end as consents
        from consent_records
        where environment_id = $1::uuid and program_id = $2
        group by member_id
      ) c on c.member_id = p.member_id
      where p.environment_id = $1::uuid and p.program_id = $2`,
    [environmentId, programId],
  );
  for await (const row of rows) {
    const enrollments = enrollmentsOf(row);
    yield { member: memberOf(row, enrollments), enrollments, referralCode: row.referral_code };
  }
}

/** The changes of enrollment. A consent with the same status as the one before is no change. */
function enrollmentsOf(row: MemberRow): [EnrollmentChange, ...EnrollmentChange[]] {
  const { consents, first_at, first_id, enrolled_at } = row;
  if (!consents) return [{ at: first_at ?? enrolled_at, id: first_id ?? '', enrolled: true }];
  const changes = consents.map(
    ([at, id, status]): EnrollmentChange => ({ at: new Date(at), id, enrolled: status === 'granted' }),
  );
  const [first, ...later] = changes.filter(
    ({ enrolled }, index) => enrolled !== (changes[index - 1]?.enrolled ?? false),
  );
  return first ? [first, ...later] : [{ at: enrolled_at, id: '', enrolled: true }];
}

/** The member in the form that awards are computed on. It is active, because it was when it bought. */
function memberOf(
  { id, external_customer_id, tags, lists }: MemberRow,
  [{ at }]: [EnrollmentChange, ...EnrollmentChange[]],
): MemberRecord {
  return {
    id,
    externalCustomerId: external_customer_id,
    displayName: null,
    status: 'active',
    identityStatus: 'verified',
    consentStatus: 'granted',
    noticeVersion: '',
    consentAt: at,
    createdAt: at,
    tags: tags.length > 0 ? tags : NONE,
    lists: lists.length > 0 ? lists : NONE,
    mergedInto: null,
  };
}

/** One shared empty array, to save memory for many members. */
const NONE: readonly string[] = [];
