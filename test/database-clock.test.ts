import { beforeEach, expect, jest, test } from '@jest/globals';

let clock: typeof import('../src/database-clock.ts');

beforeEach(async () => {
  jest.resetModules();
  clock = await import('../src/database-clock.ts');
});

/** How far the clock is from a time that was told now, in milliseconds. */
const offFrom = (told: Date): number => clock.databaseNowMs() - told.getTime();

const at = (ms: number): Date => new Date(Date.UTC(2030, 0, 1) + ms);

test('before the first reading it is the clock of this process', () => {
  expect(clock.isDatabaseTimeKnown()).toBe(false);
  expect(Math.abs(clock.databaseNowMs() - Date.now())).toBeLessThan(50);
});

test('it goes by what the database told, however far that is', () => {
  for (const told of [at(0), new Date(0), at(86_400_000)]) {
    clock.noteDatabaseTime(told);
    expect(offFrom(told)).toBeGreaterThanOrEqual(-1);
    expect(offFrom(told)).toBeLessThan(50);
  }
  expect(clock.isDatabaseTimeKnown()).toBe(true);
});

test('an answer that took longer does not set it back; a clock that was set back by more than a second does', () => {
  clock.noteDatabaseTime(at(0));
  clock.noteDatabaseTime(at(-900));
  expect(offFrom(at(0))).toBeGreaterThanOrEqual(-1);
  clock.noteDatabaseTime(at(-2_000));
  expect(Math.abs(offFrom(at(-2_000)))).toBeLessThan(50);
});
