const KEY = Symbol.for('rewards-service.test-run');

/** Setup and teardown are loaded apart from each other: what they share hangs on the process. */
const shared = globalThis as typeof globalThis & { [KEY]?: () => Promise<void> };

export function rememberStop(stop: () => Promise<void>): void {
  shared[KEY] = stop;
}

export async function stopEverything(): Promise<void> {
  await shared[KEY]?.();
  delete shared[KEY];
}
