import type { ClientBase } from 'pg';
import type { MemberRecord } from '../ledger/records.ts';
import { readByCursor } from './read-by-cursor.ts';

/** A member of a program, as far as a simulation needs to know. */
export interface ProgramMember {
  member: MemberRecord;
  /** Of the first enrollment. */
  enrolledAt: Date;
  /** The code that real events name. */
  referralCode: string | null;
}

interface MemberRow {
  id: string;
  external_customer_id: string;
  tags: string[];
  lists: string[];
  enrolled_at: Date;
  referral_code: string | null;
}

/** Reads everyone who ever enrolled in a program. Tags and lists are those of today. */
export async function* readMembers(
  client: ClientBase,
  environmentId: string,
  programId: string,
): AsyncGenerator<ProgramMember> {
  const rows = readByCursor<MemberRow>(
    client,
    'members_of_program',
    `select m.id, m.external_customer_id, m.tags, m.lists, p.referral_code,
        least(p.enrolled_at, c.at) as enrolled_at
      from program_profiles p
      join members m on m.environment_id = p.environment_id and m.id = p.member_id
      left join (
        select member_id, min(at) as at from consent_records
        where environment_id = $1::uuid and program_id = $2 and status = 'granted'
        group by member_id
      ) c on c.member_id = p.member_id
      where p.environment_id = $1::uuid and p.program_id = $2`,
    [environmentId, programId],
  );
  for await (const row of rows) {
    yield { member: memberOf(row), enrolledAt: row.enrolled_at, referralCode: row.referral_code };
  }
}

/** As awards see a member: whoever bought was active then. */
function memberOf({ id, external_customer_id, tags, lists, enrolled_at }: MemberRow): MemberRecord {
  return {
    id,
    externalCustomerId: external_customer_id,
    displayName: null,
    status: 'active',
    identityStatus: 'verified',
    consentStatus: 'granted',
    noticeVersion: '',
    consentAt: enrolled_at,
    createdAt: enrolled_at,
    tags: tags.length > 0 ? tags : NONE,
    lists: lists.length > 0 ? lists : NONE,
  };
}

/** One for all of the many members who have neither. */
const NONE: readonly string[] = [];
