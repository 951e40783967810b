import { expect, test } from '@jest/globals';
import { moveSandboxClock } from '../../src/commands/move-sandbox-clock.ts';
import type { MoveSandboxClockInput } from '../../src/contract/generated/types.ts';
import type { Decision } from '../../src/ledger/command.ts';
import { withoutRetry } from '../../src/ledger/retry.ts';
import type { State } from '../../src/ledger/state.ts';
import type { MovableClock } from '../../src/ledger/tables/environments.ts';
import { isRefusal } from '../../src/refusal.ts';

const realNow = new Date('2026-03-01T12:00:00.000Z');
const at = (seconds: number): Date => new Date(realNow.getTime() + seconds * 1_000);

/** What a move makes of a clock. @param now what it shows before */
function moved(
  clock: Partial<MovableClock>,
  now: Date,
  move: Pick<MoveSandboxClockInput, 'action'> & Partial<MoveSandboxClockInput>,
): Decision['clock'] | string {
  const command = moveSandboxClock({ idempotencyKey: 'k', ...move } as MoveSandboxClockInput, {
    environmentId: '00000000-0000-7000-8000-000000000001',
    actor: { type: 'api_key', id: 'a' },
    requestId: 'r',
  });
  if (isRefusal(command)) return command.code;
  const state = {
    environment: { id: 'e', kind: 'sandbox', locked: false, revision: 1 },
    movableClock: () => ({ aheadMs: 0, standsAt: null, realNow, newestAt: null, ...clock }),
  } as unknown as State;
  const decided = withoutRetry(command.decide(state, now));
  return isRefusal(decided) ? decided.code : decided.clock;
}

test('a clock that stands is put forward where it stands', () => {
  expect(moved({ standsAt: at(60) }, at(60), { action: 'advance', seconds: 30 })).toEqual({
    aheadMs: 0,
    standsAt: at(90),
  });
});

test('one whose instant has come runs with the real time again, and is put ahead of that', () => {
  for (const standsAt of [at(-60), at(0)]) {
    expect(moved({ standsAt }, realNow, { action: 'advance', seconds: 30 })).toEqual({
      aheadMs: 30_000,
      standsAt: null,
    });
  }
});

test('one that runs ahead is put further ahead, and can be given the real time', () => {
  expect(moved({ aheadMs: 5_000 }, at(5), { action: 'advance', seconds: 30 })).toEqual({
    aheadMs: 35_000,
    standsAt: null,
  });
  expect(moved({ aheadMs: 5_000 }, at(5), { action: 'reset' })).toEqual({ aheadMs: 0, standsAt: null });
  expect(moved({ aheadMs: 5_000, newestAt: at(3) }, at(5), { action: 'reset' })).toBe('invalid_clock_time');
});

test('a clock can be set to the very time of the newest record, and to twenty years ahead, and no millisecond beyond', () => {
  const set = (to: Date, clock: Partial<MovableClock> = {}) =>
    moved(clock, realNow, { action: 'set', at: to.toISOString() });
  const newestAt = at(90);
  expect(set(newestAt, { newestAt })).toEqual({ aheadMs: 0, standsAt: newestAt });
  expect(set(at(89.999), { newestAt })).toBe('invalid_clock_time');
  const last = at(20 * 365.25 * 86_400);
  expect(set(last)).toEqual({ aheadMs: 0, standsAt: last });
  expect(set(new Date(last.getTime() + 1))).toBe('invalid_clock_time');
});
