const KEY = Symbol.for('rewards-service.test-run');

/** Jest loads setup and teardown separately, so what they share is stored on globalThis. */
const shared = globalThis as typeof globalThis & { [KEY]?: () => Promise<void> };

export function rememberStop(stop: () => Promise<void>): void {
  shared[KEY] = stop;
}

export async function stopEverything(): Promise<void> {
  await shared[KEY]?.();
  delete shared[KEY];
}
