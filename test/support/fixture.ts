import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';

/** What is done after the last test of the file: the last of these first. */
let endings: (() => unknown)[] = [];

/**
 * Opens something for all tests of a file, and closes it after them: what was opened last is closed first. To be called
 * at the top of a test file, or by a function that is.
 * @param name for the message where something reads from it too early
 * @returns a stand-in for what is opened: it can be read in hooks and tests, and throws while the file is loaded
 */
export function fixture<T extends object>(
  name: string,
  open: () => T | Promise<T>,
  close: (opened: T) => unknown = () => undefined,
): T {
  let opened: T | undefined;
  beforeAll(async () => {
    opened = await open();
  });
  atEnd(() => opened && close(opened));
  return standIn(() => {
    if (!opened) throw new Error(`${name} is there only after beforeAll has opened it`);
    return opened;
  });
}

/** Runs after the last test of the file, before anything closes that is in use so far. */
export function atEnd(ending: () => unknown): void {
  if (endings.length === 0) afterAll(end);
  endings.unshift(ending);
}

/** Makes a temporary folder, which is removed after the last test of the file. @returns its path */
export function useFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs every ending, also after one that fails. @throws what the first of these threw */
async function end(): Promise<void> {
  const failures: unknown[] = [];
  for (const ending of endings) {
    try {
      await ending();
    } catch (error) {
      failures.push(error);
    }
  }
  endings = [];
  if (failures.length > 0) throw failures[0];
}

/** An object that does everything with another one, which `opened` gives. */
function standIn<T extends object>(opened: () => T): T {
  return new Proxy({} as T, {
    get(_target, key) {
      const value: unknown = Reflect.get(opened(), key);
      // Methods of a class read its private fields, which only the object itself has.
      return typeof value === 'function' ? value.bind(opened()) : value;
    },
    set: (_target, key, value) => Reflect.set(opened(), key, value),
    has: (_target, key) => Reflect.has(opened(), key),
    ownKeys: () => Reflect.ownKeys(opened()),
    getOwnPropertyDescriptor: (_target, key) => Reflect.getOwnPropertyDescriptor(opened(), key),
    getPrototypeOf: () => Reflect.getPrototypeOf(opened()),
  });
}
