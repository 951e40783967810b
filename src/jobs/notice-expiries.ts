import type { Pool } from 'pg';
import { type ExpiryNoticeReceipt, noticeExpiry } from '../commands/members/notice-expiry.ts';
import { newUuid, toTypeId } from '../ids.ts';
import type { CommandDoor } from '../ledger/command.ts';
import { isRefusal } from '../refusal.ts';
import {
  type ExpiringProfile,
  expiringProfiles,
  LOTS_OF_NOTICE,
  type NoticingProgram,
  noticingPrograms,
} from './expiring-lots.ts';
import type { FailurePause } from './failure-pause.ts';

export interface ExpiryNoticeOptions {
  pool: Pool;
  door: CommandDoor;
  failures: FailurePause;
  /** UUID; every environment where it is absent. */
  environmentId?: string;
  /** Ends the run early, between two pages; the next one begins anew. */
  signal: AbortSignal;
  /** Called for each profile that failed; the run goes on with the others. */
  onFailed(error: unknown, subject: string): void;
}

const PAGE = 256;

/**
 * Reports the points that expire within the `expiryNoticeDays` of their program, lot by lot, each once. It goes through
 * the environments one after the other, a page of profiles at a time. Several runs may overlap: a lot is reported under
 * the lock of its profile, together with the record that it was.
 * @returns how many lots were reported
 */
export async function noticeExpiries(options: ExpiryNoticeOptions): Promise<number> {
  const { pool, signal, environmentId: only } = options;
  const byEnvironment = Map.groupBy(await noticingPrograms(pool), ({ environmentId }) => environmentId);
  let noticed = 0;
  for (const [environmentId, programs] of byEnvironment) {
    if (signal.aborted) break;
    if (only !== undefined && environmentId !== only) continue;
    noticed += await noticeEnvironment(environmentId, programs, options);
  }
  return noticed;
}

async function noticeEnvironment(
  environmentId: string,
  programs: readonly NoticingProgram[],
  options: ExpiryNoticeOptions,
): Promise<number> {
  const [{ now: at }] = programs as [NoticingProgram];
  const requestId = toTypeId('req', newUuid());
  let noticed = 0;
  let after: ExpiringProfile | null = null;
  while (!options.signal.aborted) {
    const page: ExpiringProfile[] = await expiringProfiles(
      options.pool,
      environmentId,
      programs,
      at,
      after,
      PAGE,
    );
    const counts = await Promise.all(
      page
        .filter(({ lotIds }) => lotIds.length > 0)
        .map((profile) => noticeProfile(environmentId, profile, requestId, options)),
    );
    const ofPage = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
    noticed += ofPage;
    // The writer has refused a command as `overloaded`: the next run goes on.
    if (counts.includes(null)) break;
    // A profile may have more such lots than one command reports: the same page then shows the others.
    if (ofPage > 0 && page.some(({ lotIds }) => lotIds.length === LOTS_OF_NOTICE)) continue;
    if (page.length < PAGE) break;
    after = page.at(-1) ?? null;
  }
  return noticed;
}

/** @returns how many lots were reported; null where the writer refused the command as `overloaded` */
async function noticeProfile(
  environmentId: string,
  { programId, externalCustomerId, memberId, lotIds }: ExpiringProfile,
  requestId: string,
  { door, failures, onFailed }: ExpiryNoticeOptions,
): Promise<number | null> {
  const subject = `${toTypeId('mem', memberId)} in ${programId}`;
  if (failures.has(subject)) return 0;
  const input = { environmentId, programId, externalCustomerId, memberId, lotIds, requestId };
  try {
    const outcome = await door.submit(noticeExpiry(input));
    if (isRefusal(outcome)) return outcome.code === 'overloaded' ? null : 0;
    return (outcome.receipt as ExpiryNoticeReceipt).lotIds.length;
  } catch (error) {
    failures.note(subject);
    onFailed(error, subject);
    return 0;
  }
}
