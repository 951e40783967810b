import type { RefusalCodeOf } from '../contract/generated/refusals.ts';
import type { MoveSandboxClockInput } from '../contract/generated/types.ts';
import type { Receipt } from '../contract/receipt.ts';
import { toTypeId } from '../ids.ts';
import type { Command } from '../ledger/command.ts';
import { type EnvironmentClock, type MovableClock, shownTime } from '../ledger/tables/environments.ts';
import { type Refusal, refuse } from '../refusal.ts';
import { type Caller, envelope } from './shared/caller.ts';
import type { RefusalOf } from './shared/operation-command.ts';

/** How far ahead of the real time a clock may be: twenty years. */
const MOST_AHEAD_MS = 20 * 365.25 * 86_400_000;

const sandboxRequired = refuse(
  'sandbox_required',
  'Only the clock of a Sandbox can be moved, and this environment is Production.',
);

/** The receipt of a move; the answer has what was done after it as well. */
export type ClockReceipt = Omit<Receipt<'moveSandboxClock'>, 'swept'>;

/**
 * Moves the clock of a Sandbox: sets it to an instant, advances it, or gives it the real time again. It may go back,
 * but never behind the real time or what the environment has recorded. Refusals: `sandbox_required`,
 * `invalid_clock_time`.
 * @returns `validation_failed` where `at`, `runs` and `seconds` are not those of the action
 */
export function moveSandboxClock(
  input: MoveSandboxClockInput,
  caller: Caller,
): Command<ClockReceipt, RefusalCodeOf<'moveSandboxClock'>> | RefusalOf<'moveSandboxClock'> {
  const fault = faultOf(input);
  if (fault) return fault;
  return {
    ...envelope('moveSandboxClock', input, caller),
    laneKey: 'clock',
    subjects: [],
    runsAlone: true,
    movesClock: true,
    decide(state, now) {
      if (state.environment.kind !== 'sandbox') return sandboxRequired;
      const before = state.movableClock();
      const { realNow } = before;
      const clock = movedClock(input, before, now);
      const shown = shownTime(clock, realNow);
      const refusal = outOfBounds(clock.standsAt ?? shown.now, before);
      if (refusal) return refusal;
      const { now: to, state: stateOfClock } = shown;
      return {
        receipt: {
          clock: { now: to.toISOString(), realTime: realNow.toISOString(), state: stateOfClock },
        },
        inserts: {},
        updates: {},
        clock,
        audits: [
          {
            action: 'environment.clock_moved',
            targetType: 'environment',
            targetId: toTypeId('env', caller.environmentId),
            changes: {
              action: input.action,
              from: now.toISOString(),
              to: to.toISOString(),
              state: stateOfClock,
            },
          },
        ],
        webhookEvents: [],
      };
    },
  };
}

/** @param now what the clock shows before */
function movedClock(
  { action, at, runs, seconds }: MoveSandboxClockInput,
  { aheadMs, standsAt, realNow }: MovableClock,
  now: Date,
): EnvironmentClock {
  if (action === 'reset') return { aheadMs: 0, standsAt: null };
  if (action === 'advance') {
    const byMs = Number(seconds) * 1_000;
    const stands = standsAt !== null && standsAt > realNow;
    return stands
      ? { aheadMs: 0, standsAt: new Date(now.getTime() + byMs) }
      : { aheadMs: aheadMs + byMs, standsAt: null };
  }
  const to = new Date(at as string);
  return runs ? { aheadMs: to.getTime() - realNow.getTime(), standsAt: null } : { aheadMs: 0, standsAt: to };
}

/** @param to what the clock would show */
function outOfBounds(to: Date, { realNow, newestAt }: MovableClock): Refusal<'invalid_clock_time'> | null {
  const [time, real] = [to.toISOString(), realNow.toISOString()];
  if (to < realNow) {
    return refuse(
      'invalid_clock_time',
      `${time} has passed: the clock of an environment is never behind the real time, ${real}.`,
    );
  }
  if (newestAt && to < newestAt) {
    return refuse(
      'invalid_clock_time',
      `${time} lies before what the environment has recorded, which goes up to ` +
        `${newestAt.toISOString()}. To begin anew: rewards env reset`,
    );
  }
  if (to.getTime() - realNow.getTime() > MOST_AHEAD_MS) {
    return refuse('invalid_clock_time', `${time} is more than 20 years ahead of the real time, ${real}.`);
  }
  return null;
}

/** Which properties an action has: `true` where it needs one, `false` where it may have it. */
const PROPERTIES = {
  set: { at: true, runs: false },
  advance: { seconds: true },
  reset: {},
} as const satisfies Record<MoveSandboxClockInput['action'], object>;

function faultOf(input: MoveSandboxClockInput): Refusal<'validation_failed'> | null {
  const properties: Readonly<Record<string, boolean>> = PROPERTIES[input.action];
  const details = (['at', 'runs', 'seconds'] as const).flatMap((path) => {
    const isGiven = input[path] !== null && input[path] !== undefined;
    if (isGiven && properties[path] === undefined) {
      return [{ path, message: `is not for the action ${input.action}` }];
    }
    return !isGiven && properties[path]
      ? [{ path, message: `is required for the action ${input.action}` }]
      : [];
  });
  return details.length === 0
    ? null
    : refuse('validation_failed', 'The properties are not those of the action.', details);
}
