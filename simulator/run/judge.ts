import type { Outcome } from '../../src/ledger/command.ts';
import { isRefusal } from '../../src/refusal.ts';
import { isExpected, isMade } from '../model/expected-event.ts';
import type { Prediction } from '../model/model.ts';

/**
 * Compares an outcome with the model's prediction.
 * @returns a description of the difference, or null
 */
export function findDifference(
  outcome: Outcome,
  predicted: Prediction & { replayed?: boolean },
): string | null {
  if (isRefusal(outcome)) {
    if ('code' in predicted && predicted.code === outcome.code) return null;
    return `refused with ${outcome.code} (${outcome.message}), expected ${show(predicted)}`;
  }
  if ('code' in predicted) return `done with ${show(outcome.receipt)}, expected ${predicted.code}`;
  const again = predicted.replayed ?? predicted.repeated ?? false;
  if (outcome.idempotent !== again) return `idempotent is ${outcome.idempotent}, expected ${again}`;
  const path = findMissing(predicted.receipt, outcome.receipt);
  return path === null
    ? null
    : `the receipt differs at ${path}: ${show(outcome.receipt)}, expected ${show(predicted)}`;
}

/** The path of the first expected value that is missing or different; null where there is none. */
function findMissing(expected: unknown, actual: unknown, path = '$'): string | null {
  if (typeof expected !== 'object' || expected === null || isMade(expected)) {
    return isExpected(expected, actual) ? null : path;
  }
  if (typeof actual !== 'object' || actual === null) return path;
  if (Array.isArray(expected) && expected.length !== (actual as unknown[]).length) return `${path}.length`;
  for (const [name, value] of Object.entries(expected)) {
    const missing = findMissing(value, (actual as Record<string, unknown>)[name], `${path}.${name}`);
    if (missing) return missing;
  }
  return null;
}

function show(value: unknown): string {
  return JSON.stringify(value);
}
