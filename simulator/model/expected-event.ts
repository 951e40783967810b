/** An id or a reference that the service makes, so that the model knows only how it begins. */
export interface MadeId {
  /** With its separator, such as `txn_`. */
  beginning: string;
}

/** An event that the model expects of a command. */
export interface ExpectedEvent {
  type: string;
  /** Null for an event that is about no program. */
  programId: string | null;
  /** Null for an event that is about no member. */
  externalCustomerId: string | null;
  /** What it says besides the member, the program, the balances and the version; exactly that. */
  data: Readonly<Record<string, unknown>>;
  /** Of the profile, after the command; null for an event that is about no member. */
  balances: { available: number; pending: number; reserved: number } | null;
}

/** A placeholder for an id of this prefix. */
export function madeId(prefix: string, separator = '_'): MadeId {
  return { beginning: `${prefix}${separator}` };
}

/** Whether a value is the expected one, or is made as expected. */
export function isExpected(expected: unknown, actual: unknown): boolean {
  return (
    expected === actual ||
    (Array.isArray(expected) && JSON.stringify(expected) === JSON.stringify(actual)) ||
    (isMade(expected) && typeof actual === 'string' && actual.startsWith(expected.beginning))
  );
}

/** Whether an expected value is a placeholder for one that the service makes. */
export function isMade(expected: unknown): expected is MadeId {
  return typeof expected === 'object' && expected !== null && 'beginning' in expected;
}
