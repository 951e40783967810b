import type { Pool } from 'pg';
import type { Administrator } from '../admin/shared/admin-change.ts';
import { writeTrail } from '../admin/shared/write-trail.ts';
import { type ForfeitReceipt, forfeitEnrollment } from '../commands/members/forfeit-enrollment.ts';
import type { Statement } from '../db/statement.ts';
import { newUuid, toTypeId } from '../ids.ts';
import type { CommandDoor } from '../ledger/command.ts';
import { type OperationOutcome, type RunningOperation, startOperation } from '../operations/operation.ts';
import { isRefusal, type Refusal, type RefusalCode, refuse } from '../refusal.ts';
import { type AccountToErase, accountsToErase } from './erasure-statements.ts';
import { ERASURE_STEPS } from './erasure-steps.ts';
import { type ErasedMember, erasedId, Forgotten } from './forgotten.ts';

/** How long the transaction that gives the new id may wait for running batches. */
const PATIENCE_MS = 60_000;
/** What it does besides waiting takes less than this. */
const WORK_MS = 30_000;

export interface ErasureRequest {
  /** UUID. */
  environmentId: string;
  externalCustomerId: string;
  /** Why, for the operation and the audit trail, which keep it for ever: it must name no person. */
  reason: string;
  /** Whether points and enrollments that are left are forfeited; otherwise such a member is refused. */
  forfeit: boolean;
}

export interface Erasure {
  /** TypeIDs. */
  memberId: string;
  operationId: string;
  /** The externalCustomerId from now on. */
  externalCustomerId: string;
  /** Points that the member lost, in the smallest loyalty unit. */
  forfeitedPoints: number;
  /** Why it was erased, with the new id in place of the old one. */
  reason: string;
  /** True where an erasure that had been interrupted was finished. Who has the old id now was not looked at. */
  resumed: boolean;
}

export interface Eraser {
  administrator: Administrator;
  /** Connections of the owner. */
  pool: Pool;
  /** Takes the commands that forfeit enrollments. */
  door: CommandDoor;
  onProgress?(done: number, total: number): void;
  /** How long it may wait for commands of the environment that run. Default: a minute. */
  patienceMs?: number;
}

/** A member, found by the id that it has or had. */
interface MemberToErase {
  /** UUID. */
  memberId: string;
  /** An erasure has given it its new id, and was interrupted. */
  hasBegun: boolean;
}

/** What the erasure of an account needs to know of the person's other ones. */
interface Together {
  /** Points that the account has lost for this erasure already. */
  forfeited: number;
  /**
   * UUIDs of all accounts. Rows of one may have the name of another one, which answers for the same member, in
   * references.
   */
  accountIds: readonly string[];
}

/**
 * Erases a member, and every account that was merged into it: a name of one of them erases all
 * (docs/operate/erasure.md). The member leaves its programs first, since that may be refused. The account that the
 * request names comes last: until all others are erased it can be found, so that the same call finishes what was
 * interrupted.
 * @returns as `eraseAccount`: for the member, or where that was erased before, for the account that was left
 */
export async function eraseMember(
  eraser: Eraser,
  request: ErasureRequest,
): Promise<Erasure | Refusal<RefusalCode>> {
  const { environmentId, externalCustomerId } = request;
  const { rows } = await eraser.pool.query<AccountToErase>(
    accountsToErase(environmentId, externalCustomerId),
  );
  const others = rows.filter(({ name, is_erased }) => name !== externalCustomerId && !is_erased);
  const member = rows.find(({ is_member, is_erased }) => is_member && !is_erased);
  const accountIds = rows.map(({ id }) => id);
  let forfeited = 0;
  if (member && others.length > 0) {
    const forfeitedPoints = await leavePrograms(
      eraser,
      { ...request, externalCustomerId: member.name },
      member.id,
    );
    if (typeof forfeitedPoints !== 'number') return forfeitedPoints;
    forfeited = forfeitedPoints;
  }
  let told: Erasure | null = null;
  for (const name of [...others.map((account) => account.name), externalCustomerId]) {
    const isMember = name === member?.name;
    const ofName = { ...request, externalCustomerId: name };
    const erased = await eraseAccount(eraser, ofName, { forfeited: isMember ? forfeited : 0, accountIds });
    if (isRefusal(erased)) return erased;
    if (isMember || told === null) told = erased;
  }
  if (!told) throw new Error('an erasure has at least one account');
  return told;
}

/**
 * Erases one account of a member: name, tags, lists, event attributes, consent evidence and other typed texts go, and
 * its externalCustomerId becomes `erased-<uuid>` wherever it is stored (decisions, "Operations, audit, data in and
 * out"). The member gets its new id first, in a transaction that no command of the environment overlaps: from then on
 * nothing new is stored about it under the old one. What was stored until then is replaced table by table, as an
 * operation. Where that is interrupted, the same call finishes it.
 * @returns refusals: `member_not_found`, `member_enrolled`, `erasure_running`, `overloaded` where a transaction on the
 *   environment does not end, and those of forfeiting an enrollment
 */
async function eraseAccount(
  eraser: Eraser,
  request: ErasureRequest,
  together: Together,
): Promise<Erasure | Refusal<RefusalCode>> {
  const { pool } = eraser;
  const memberToErase = await findMember(pool, request);
  if (isRefusal(memberToErase)) return memberToErase;
  const { memberId, hasBegun } = memberToErase;
  const forfeitedPoints = hasBegun ? 0 : await leavePrograms(eraser, request, memberId);
  if (typeof forfeitedPoints !== 'number') return forfeitedPoints;
  const forfeited = together.forfeited + forfeitedPoints;
  const { environmentId, externalCustomerId } = request;
  const member: ErasedMember = { environmentId, memberId, externalCustomerId };
  const accountIds = [memberId, ...together.accountIds.filter((id) => id !== memberId)];
  const steps = accountIds.flatMap((id) =>
    ERASURE_STEPS.map((step) => () => step(pool, { ...member, memberId: id })),
  );
  const reason = new Forgotten(member).reference(request.reason);
  const operation = await startOperation(pool, {
    environmentId,
    type: 'erasure',
    total: steps.length,
    input: inputOf(member, reason),
  });
  try {
    const refusal = hasBegun
      ? null
      : await giveNewId(eraser, member, operation, { forfeitedPoints: forfeited, reason });
    if (refusal) {
      // Without the id, which the refusal's own message names.
      const { code } = refusal;
      const message =
        code === 'overloaded'
          ? refusal.message
          : 'The member has entered a program meanwhile, or another process has erased it.';
      await finish(eraser, member, operation, { done: 0, result: null, error: { code, message } });
      return refusal;
    }
    for (const [index, step] of steps.entries()) {
      await step();
      await operation.update(index + 1);
      eraser.onProgress?.(index + 1, steps.length);
    }
  } catch (error) {
    const message = 'The erasure broke off. Run it again with the same id.';
    // Without this the end of the lease says it.
    const failure = { done: null, result: null, error: { code: 'internal_error', message } };
    await operation.finish(failure).catch(() => undefined);
    throw error;
  }
  const result = { forfeitedPoints: forfeited, reason };
  await finish(eraser, member, operation, { done: null, result, error: null });
  return {
    memberId: toTypeId('mem', memberId),
    operationId: operation.requestId,
    externalCustomerId: erasedId(memberId),
    ...result,
    resumed: hasBegun,
  };
}

/** An erasure of this id that was interrupted comes first: who has the id now may be somebody else. */
async function findMember(
  pool: Pool,
  { environmentId, externalCustomerId }: ErasureRequest,
): Promise<MemberToErase | Refusal<RefusalCode>> {
  const interruptedRun = await pool.query<{ id: string; runs: boolean }>({
    name: 'erasures_begun',
    text: `select m.id, o.status = 'running' and o.lease_until > clock_timestamp() as runs
      from operations o
      join members m on m.environment_id = $1::uuid and m.external_customer_id = o.input ->> 'becomes'
      where o.environment_id = $1::uuid and o.type = 'erasure' and o.input ->> 'externalCustomerId' = $2::text
      order by runs desc
      limit 1`,
    values: [environmentId, externalCustomerId],
  });
  const [interrupted] = interruptedRun.rows;
  if (interrupted?.runs) {
    const message = `Another process is erasing ${externalCustomerId}. If it was killed, this works again after 30 seconds.`;
    return refuse('erasure_running', message);
  }
  if (interrupted) return { memberId: interrupted.id, hasBegun: true };
  const present = await pool.query<{ id: string }>({
    name: 'member_to_erase',
    text: `select id from members
      where environment_id = $1::uuid and external_customer_id = $2::text and status <> 'erased'`,
    values: [environmentId, externalCustomerId],
  });
  const [member] = present.rows;
  return member ? { memberId: member.id, hasBegun: false } : unknownMember(externalCustomerId);
}

function unknownMember(externalCustomerId: string): Refusal<'member_not_found'> {
  const message = `There is no member with the externalCustomerId ${externalCustomerId} in this environment.`;
  return refuse('member_not_found', message);
}

/** @returns how many points were forfeited */
async function leavePrograms(
  { administrator, pool, door }: Eraser,
  { environmentId, externalCustomerId, forfeit }: ErasureRequest,
  memberId: string,
): Promise<number | Refusal<RefusalCode>> {
  const { rows: programs } = await pool.query<Enrollment>(enrollmentsOf(environmentId, memberId));
  if (programs.length > 0 && !forfeit) return stillEnrolled(externalCustomerId, programs);
  const caller = {
    environmentId,
    actor: administrator.actor,
    requestId: toTypeId('req', newUuid()),
  };
  let points = 0;
  for (const { program_id: programId } of programs) {
    const outcome = await door.submit(forfeitEnrollment(programId, externalCustomerId, caller));
    if (isRefusal(outcome)) return outcome;
    points += (outcome.receipt as ForfeitReceipt).points;
  }
  return points;
}

interface Enrollment {
  program_id: string;
  available: number;
  pending: number;
  reserved: number;
}

function enrollmentsOf(environmentId: string, memberId: string): Statement {
  return {
    name: 'enrollments_of_member',
    text: `select program_id, available, pending, reserved from program_profiles
      where environment_id = $1::uuid and member_id = $2::uuid and enrolled
      order by program_id`,
    values: [environmentId, memberId],
  };
}

function stillEnrolled(
  externalCustomerId: string,
  programs: readonly Enrollment[],
): Refusal<'member_enrolled'> {
  const enrollments = programs.map(
    ({ program_id, available, pending, reserved }) =>
      `${program_id} (${available} points available, ${pending} pending, ${reserved} held)`,
  );
  return refuse(
    'member_enrolled',
    `${externalCustomerId} is enrolled in ${enrollments.join(', ')}. End the enrollment ` +
      'first, or erase it with --forfeit, which lets the points lapse.',
  );
}

/** What the audit trail says of an erasure. */
interface ErasureDetails {
  /** Points that the member has lost. */
  forfeitedPoints: number;
  /** With the new id in place of the old one. */
  reason: string;
}

/**
 * Gives the member its new id and the status `erased`, and writes the audit event and the webhook event of the erasure.
 * All running batches of the environment have ended before, and later ones find no member under the old id.
 */
async function giveNewId(
  eraser: Eraser,
  member: ErasedMember,
  operation: RunningOperation,
  details: ErasureDetails,
): Promise<Refusal<RefusalCode> | null> {
  try {
    return await giveNewIdUnderLock(eraser, member, operation, details);
  } catch (error) {
    // 55P03: lock_not_available.
    if (!(error instanceof Error && error.message.includes('55P03'))) throw error;
    return refuse(
      'overloaded',
      'A transaction on the environment did not end in time, and nothing was erased. Run it again; if ' +
        'it happens again, look for transactions in pg_stat_activity that hang.',
    );
  }
}

async function giveNewIdUnderLock(
  { administrator, patienceMs = PATIENCE_MS }: Eraser,
  { environmentId, memberId, externalCustomerId }: ErasedMember,
  { requestId }: RunningOperation,
  details: ErasureDetails,
): Promise<Refusal<RefusalCode> | null> {
  return administrator.prisma.$transaction(
    async (transaction) => {
      await transaction.$executeRaw`select set_config('lock_timeout', ${String(patienceMs)}, true)`;
      await transaction.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${environmentId}, 0))`;
      const { text, values } = enrollmentsOf(environmentId, memberId);
      const programs = await transaction.$queryRawUnsafe<Enrollment[]>(text, ...values);
      if (programs.length > 0) return stillEnrolled(externalCustomerId, programs);
      const newId = erasedId(memberId);
      const changed = await transaction.$executeRaw`
        update members set external_customer_id = ${newId}, display_name = null, status = 'erased',
          tags = '{}', lists = '{}'
        where environment_id = ${environmentId}::uuid and id = ${memberId}::uuid and status <> 'erased'`;
      if (changed === 0) return unknownMember(externalCustomerId);
      const target = toTypeId('mem', memberId);
      await writeTrail(
        transaction,
        { environmentId, actor: administrator.actor, requestId },
        {
          audit: {
            action: 'member.erased',
            targetType: 'member',
            targetId: target,
            changes: { operationId: requestId, ...details },
          },
          webhookEvents: [{ type: 'member.erased', data: { memberId: target, externalCustomerId: newId } }],
        },
      );
      return null;
    },
    { timeout: patienceMs + WORK_MS, maxWait: PATIENCE_MS },
  );
}

/**
 * The input of the operation. By `externalCustomerId` an interrupted erasure is found again: `finish` removes it.
 */
function inputOf(member: ErasedMember, reason: string): object {
  const { memberId, externalCustomerId } = member;
  return { memberId: toTypeId('mem', memberId), becomes: erasedId(memberId), externalCustomerId, reason };
}

/** Ends the operation, and removes the old id from the input of every operation that erased the member. */
async function finish(
  { administrator }: Eraser,
  { environmentId, memberId }: ErasedMember,
  operation: RunningOperation,
  outcome: OperationOutcome,
): Promise<void> {
  await administrator.prisma.$transaction(async (transaction) => {
    await operation.finish(outcome, ({ text, values }) => transaction.$executeRawUnsafe(text, ...values));
    await transaction.$executeRaw`
      update operations set input = (input::jsonb - 'externalCustomerId')::json
      where environment_id = ${environmentId}::uuid and type = 'erasure'
        and input ->> 'becomes' = ${erasedId(memberId)}`;
  });
}
