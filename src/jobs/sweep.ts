import { readTime } from '../db/environment-time.ts';
import { environmentsWithDue } from './due.ts';
import { EnvironmentSweep, type SweepContext } from './environment-sweep.ts';
import { addUp, type SweepResult } from './sweep-result.ts';

export interface SweepOptions extends SweepContext {
  /** UUID; every environment where it is absent. */
  environmentId?: string;
  /** Ends the sweep early, between two pages; the next one goes on. */
  signal: AbortSignal;
}

/**
 * Does what is due: settles profiles (activations, expiries, ends of holds), then expires quotes, choices and requests
 * for adjustments whose time is over. It takes a page of each environment in turn, so that a large one does not delay
 * the others. Several sweeps may overlap: each profile is settled under its lock, and is not due any more afterwards.
 */
export async function sweep(options: SweepOptions): Promise<SweepResult> {
  const { pool, environmentId, signal } = options;
  const environments =
    environmentId === undefined
      ? await environmentsWithDue(pool)
      : [{ id: environmentId, now: await readTime(pool, environmentId) }];
  const sweeps = environments.map(({ id, now }) => new EnvironmentSweep(id, now, options));
  let open = sweeps.map((one) => one.pages());
  while (open.length > 0) {
    const going: typeof open = [];
    for (const pages of open) {
      if (signal.aborted) await pages.return();
      else if (!(await pages.next()).done) going.push(pages);
    }
    open = going;
  }
  return addUp(sweeps.map(({ counts }) => counts));
}
