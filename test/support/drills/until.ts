import { setTimeout as sleep } from 'node:timers/promises';

/** Busy machines are slow: what has to come gets this long. */
const PATIENCE_MS = 120_000;

/** Waits until something holds. @throws after two minutes */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`It never came: ${what}`);
    await sleep(20);
  }
}
