import { createMember } from '../commands/members/create-member.ts';
import type { Caller } from '../commands/shared/caller.ts';
import type { CreateMemberInput } from '../contract/generated/types.ts';
import type { CommandDoor, Outcome } from '../ledger/command.ts';
import { isRefusal, type Refusal, refuse } from '../refusal.ts';
import { objectionTo, type ValidateInput } from './cells.ts';
import { describerOf } from './describe-cells.ts';
import { firstRowsAlone } from './first-rows-alone.ts';
import { importEnrollment, whyNotEnrolled } from './import-enrollment.ts';
import { importKey } from './import-keys.ts';
import type { Cells, FileColumns, ImportProgress, ReadRow, RowHandler } from './import-rows.ts';

const COLUMNS = [
  'external_customer_id',
  'consent_status',
  'notice_version',
  'display_name',
  'tags',
  'program_id',
  'tier',
] as const;

type MemberColumn = (typeof COLUMNS)[number];

export const MEMBER_FILE: FileColumns<MemberColumn> = {
  columns: COLUMNS,
  required: COLUMNS.slice(0, 3),
  reference: 'external_customer_id',
};

const describer = describerOf<MemberColumn>({
  columnOf: {
    externalCustomerId: 'external_customer_id',
    consentStatus: 'consent_status',
    noticeVersion: 'notice_version',
    displayName: 'display_name',
    programId: 'program_id',
  },
  rules: {},
});

/** A member, and the enrollment that its row asks for. */
interface MemberRow {
  member: CreateMemberInput;
  tags: readonly string[];
  /** Null where the row enrolls in no program. */
  enrollment: { programId: string; tier: string | null } | null;
}

/** Where the rows of a file of members go. */
export interface MemberImport {
  door: CommandDoor;
  caller: Caller;
  /** The program of rows that name none; null for no program. */
  programId: string | null;
  validate: ValidateInput;
  /** Normalizes a tag; null where it is none. */
  normalizeTag(text: string): string | null;
  /** The most tags of one member. */
  mostTags: number;
  /** The ids of a program's tiers; null where no such program is published. */
  tiersOf(programId: string): Promise<ReadonlySet<string> | null>;
}

/**
 * Makes each row a member, and enrolls it where the row names a program. A member who is there already stays as it is,
 * and is only enrolled if it never was.
 * @param progress its `membersCreated` is counted
 */
export function memberRows(
  options: MemberImport,
  progress: Pick<ImportProgress, 'membersCreated'>,
): RowHandler<MemberColumn, MemberRow> {
  return {
    file: MEMBER_FILE,
    read: (cells) => readMember(cells, options),
    submit: firstRowsAlone(
      ({ member }) => member.externalCustomerId,
      (row) => admit(row, options, progress),
    ),
    pointsOf: () => 0,
    describe: (refusal, cells) =>
      refusal.code === 'enrollment_required'
        ? `external_customer_id: ${refusal.message}`
        : describer.refusal(refusal, cells),
  };
}

function readMember(cells: Cells<MemberColumn>, options: MemberImport): ReadRow<MemberRow> {
  const { external_customer_id: externalCustomerId = '', consent_status: consentStatus = '' } = cells;
  const { notice_version: noticeVersion = '', display_name: displayName, tier } = cells;
  const member = {
    idempotencyKey: importKey(externalCustomerId),
    externalCustomerId,
    consentStatus: consentStatus as CreateMemberInput['consentStatus'],
    noticeVersion,
    ...(displayName ? { displayName } : {}),
  };
  const wrong: string[] = [];
  const details = options.validate('CreateMemberInput', member);
  if (details.length > 0) wrong.push(describer.violations(details, cells));
  const programId = cells.program_id || options.programId;
  const objection = programId ? objectionTo('externalCustomerId', programId, options.validate) : null;
  if (objection) wrong.push(describer.cell(cells, 'program_id', objection));
  if (programId && consentStatus === 'opted_out') {
    const rule =
      'must be opted_in where program_id or --program names a program: nobody is enrolled without consent';
    wrong.push(describer.cell(cells, 'consent_status', rule));
  }
  if (tier && !programId) wrong.push(describer.cell(cells, 'tier', 'needs a program_id'));
  const tags = readTags(cells.tags ?? '', options);
  if (tags === null) {
    const rule = `must be at most ${options.mostTags} tags of 1 to 100 characters, separated by semicolons`;
    wrong.push(describer.cell(cells, 'tags', rule));
  }
  if (tags === null || wrong.length > 0) return { ok: false, code: 'invalid_row', message: wrong.join('; ') };
  return {
    ok: true,
    input: { member, tags, enrollment: programId ? { programId, tier: tier || null } : null },
  };
}

/** Reads tags separated by semicolons. @returns each once, in order; null where one is none or there are too many */
function readTags(text: string, { normalizeTag, mostTags }: MemberImport): string[] | null {
  if (text === '') return [];
  const tags = text.split(';').map(normalizeTag);
  const validTags = tags.filter((tag) => tag !== null);
  const once = [...new Set(validTags)].sort();
  return validTags.length === tags.length && once.length <= mostTags ? once : null;
}

/** Creates the member, and enrolls it. It is a replay where both were so already. */
async function admit(
  { member, tags, enrollment }: MemberRow,
  { door, caller, tiersOf }: MemberImport,
  progress: Pick<ImportProgress, 'membersCreated'>,
): Promise<Outcome> {
  // Checked before the member is made: a row that is rejected has written nothing.
  const objection = enrollment && (await objectionToProgram(enrollment, tiersOf));
  if (objection) return objection;
  const command = createMember(member, caller, { tags });
  const created = isRefusal(command) ? command : await door.submit(command);
  if (isRefusal(created) && !isThere(created)) return created;
  const isNew = !isRefusal(created) && !created.idempotent;
  if (isNew) progress.membersCreated += 1;
  if (!enrollment) return { receipt: {}, idempotent: !isNew };
  const { externalCustomerId, noticeVersion } = member;
  const { programId, tier } = enrollment;
  const about = { programId, externalCustomerId, noticeVersion };
  const enrolled = await door.submit(importEnrollment(about, caller, { keepsEnrolled: true, tier }));
  // An earlier import enrolled the member, with another version of the notice.
  if (isRefusal(enrolled) && isThere(enrolled))
    return (await whyNotEnrolled(door, about, caller)) ?? { receipt: {}, idempotent: !isNew };
  return isRefusal(enrolled) ? enrolled : { receipt: {}, idempotent: !isNew && enrolled.idempotent };
}

async function objectionToProgram(
  { programId, tier }: NonNullable<MemberRow['enrollment']>,
  tiersOf: MemberImport['tiersOf'],
): Promise<Refusal | null> {
  const tiers = await tiersOf(programId);
  if (!tiers) return refuse('program_not_found', `program_id: no program ${programId} is published`);
  if (tier === null || tiers.has(tier)) return null;
  return refuse('unknown_tier', `tier must be one of ${[...tiers].join(', ')}`);
}

/** Whether an earlier run submitted the command with other cells, or the member exists already. */
function isThere({ code }: Refusal): boolean {
  return code === 'member_exists' || code === 'idempotency_key_reused';
}
