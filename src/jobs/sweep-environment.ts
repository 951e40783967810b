import type { Pool } from 'pg';
import type { SandboxSweep } from '../contract/generated/types.ts';
import { rollUp } from '../ledger/closed-days/roll-up.ts';
import type { CommandDoor } from '../ledger/command.ts';
import { FailurePause } from './failure-pause.ts';
import { noticeExpiries } from './notice-expiries.ts';
import { requalify } from './requalify.ts';
import { sweep } from './sweep.ts';

export interface EnvironmentSweepOptions {
  pool: Pool;
  door: CommandDoor;
  /** UUID. */
  environmentId: string;
  /** Ends it early, between two pages. */
  signal: AbortSignal;
  /** Called for each profile or adjustment that failed; the others are done. */
  onFailed(error: unknown, subject: string): void;
}

/**
 * Does in one environment, at once, what a serving process does over time: it re-qualifies tiers, posts and expires
 * what is due, tells of coming expiries, and closes the days that have ended.
 */
export async function sweepEnvironment(options: EnvironmentSweepOptions): Promise<SandboxSweep> {
  const { pool, environmentId, signal } = options;
  const failed = new Set<string>();
  const all = {
    ...options,
    failures: new FailurePause(),
    onFailed(error: unknown, subject: string) {
      failed.add(subject);
      options.onFailed(error, subject);
    },
  };
  const tiers = await requalify(all);
  const posted = await sweep(all);
  const expiriesNoticed = await noticeExpiries(all);
  const { closedThrough } = await rollUp(pool, environmentId, signal);
  return {
    profilesSettled: posted.profiles,
    transactions: posted.transactions,
    reservationsExpired: posted.reservations,
    quotesExpired: posted.quotes,
    choicesExpired: posted.choices,
    adjustmentsExpired: posted.adjustments,
    tiersRequalified: tiers.profiles,
    tiersChanged: tiers.changed,
    expiriesNoticed,
    closedThrough,
    failed: failed.size,
  };
}
