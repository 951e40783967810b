import type { Pool } from 'pg';
import { type RequalificationReceipt, requalifyProfile } from '../commands/members/requalify-profile.ts';
import { readTime } from '../db/environment-time.ts';
import { toTypeId } from '../ids.ts';
import type { CommandDoor } from '../ledger/command.ts';
import { isRefusal } from '../refusal.ts';
import {
  countProfilesToRequalify,
  environmentsWithDueTiers,
  type ProfileSelection,
  type ProfileToRequalify,
  pageOfProfilesToRequalify,
} from './due-tiers.ts';
import type { FailurePause } from './failure-pause.ts';
import { type OperationRun, startRun } from './operation-run.ts';

/** The result of a tier run. */
export interface RequalifyResult {
  /** Profiles that were re-qualified. */
  profiles: number;
  /** Those of them whose tier changed. */
  changed: number;
  /** Profiles that could not be re-qualified. */
  failed: number;
}

export interface RequalifyOptions {
  pool: Pool;
  door: CommandDoor;
  failures: FailurePause;
  /** UUID; every environment where it is absent. */
  environmentId?: string;
  /**
   * Re-qualifies every enrolled profile as if its window had ended now, due or not. For use after a publication that
   * changed windows, thresholds or policies.
   */
  everyone?: boolean;
  /** Ends the run early, between two pages; the next one goes on. */
  signal: AbortSignal;
  /** Called for each profile that failed; the run goes on with the others. */
  onFailed(error: unknown, subject: string): void;
  /** Called after each page with the progress in its environment. */
  onProgress?(done: number, total: number): void;
}

const PAGE = 256;

/**
 * Re-qualifies the profiles whose window has ended, and creates an operation (`tier_run`) in each environment that has
 * any. Several runs may overlap: each profile is decided under its lock, and is not due any more afterwards.
 */
export async function requalify(options: RequalifyOptions): Promise<RequalifyResult> {
  const { pool, environmentId, everyone, signal } = options;
  const environments =
    environmentId === undefined
      ? await environmentsWithDueTiers(pool)
      : [{ id: environmentId, now: await readTime(pool, environmentId) }];
  const total: RequalifyResult = { profiles: 0, changed: 0, failed: 0 };
  for (const { id, now } of environments) {
    if (signal.aborted) break;
    const done = await requalifyEnvironment(id, everyone ? 'enrolled' : { dueBy: now }, options);
    for (const name of Object.keys(total) as (keyof RequalifyResult)[]) total[name] += done[name];
  }
  return total;
}

async function requalifyEnvironment(
  environmentId: string,
  selection: ProfileSelection,
  options: RequalifyOptions,
): Promise<RequalifyResult> {
  const { pool, failures, signal, onProgress } = options;
  const result: RequalifyResult = { profiles: 0, changed: 0, failed: 0 };
  let run: OperationRun | null = null;
  let complete = false;
  try {
    const total = await countProfilesToRequalify(pool, environmentId, selection);
    let checkedCount = 0;
    let after: ProfileToRequalify | null = null;
    for (;;) {
      const page: ProfileToRequalify[] = await pageOfProfilesToRequalify(
        pool,
        environmentId,
        selection,
        after,
        PAGE,
      );
      const candidates = page.filter((profile) => !failures.has(nameOf(profile)));
      if (candidates.length > 0) {
        run ??= await startRun(pool, environmentId, 'tier_run', total);
        const overloaded = await requalifyPage(environmentId, candidates, run.requestId, options, result);
        if (overloaded) break;
      }
      checkedCount += page.length;
      onProgress?.(checkedCount, total);
      if (page.length < PAGE) {
        complete = true;
        break;
      }
      if (signal.aborted) break;
      after = page.at(-1) ?? null;
      await run?.update(checkedCount);
    }
    return result;
  } finally {
    await run?.finish(result, !complete ? 'interrupted' : result.failed > 0 ? 'internal_error' : null);
  }
}

/** @returns whether the writer refused a command as `overloaded` */
async function requalifyPage(
  environmentId: string,
  page: readonly ProfileToRequalify[],
  requestId: string,
  { door, everyone, failures, onFailed }: RequalifyOptions,
  result: RequalifyResult,
): Promise<boolean> {
  let overloaded = false;
  await Promise.all(
    page.map(async (profile) => {
      const { programId, externalCustomerId } = profile;
      try {
        const outcome = await door.submit(
          requalifyProfile(
            { environmentId, programId, externalCustomerId, requestId },
            { asIfEnded: everyone ?? false },
          ),
        );
        if (isRefusal(outcome)) {
          overloaded ||= outcome.code === 'overloaded';
          return;
        }
        const { requalified } = outcome.receipt as RequalificationReceipt;
        if (!requalified) return;
        result.profiles += 1;
        if (requalified.from !== requalified.to) result.changed += 1;
      } catch (error) {
        result.failed += 1;
        failures.note(nameOf(profile));
        onFailed(error, nameOf(profile));
      }
    }),
  );
  return overloaded;
}

function nameOf({ memberId, programId }: ProfileToRequalify): string {
  return `${toTypeId('mem', memberId)} in ${programId}`;
}
