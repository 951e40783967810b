import { setTimeout as sleep } from 'node:timers/promises';

/** How long a test waits before it gives up: minutes, for the machine may be slow. */
const PATIENCE_MS = 120_000;
const LOOK_MS = 10;

/** Waits for a condition. @throws where it does not come true for minutes */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const startedAt = performance.now();
  while (!(await condition())) {
    if (performance.now() - startedAt > PATIENCE_MS) throw new Error(`never: ${what}`);
    await sleep(LOOK_MS);
  }
}
