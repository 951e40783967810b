/** An id that the service makes, so that the model knows only its prefix. */
export interface MadeId {
  madeId: string;
}

/** An event that the model expects of a command. */
export interface ExpectedEvent {
  type: string;
  programId: string;
  /** Null for an event that is about no member. */
  externalCustomerId: string | null;
  /** What it says besides the member, the program, the balances and the version; exactly that. */
  data: Readonly<Record<string, unknown>>;
  /** Of the profile, after the command; null for an event that is about no member. */
  balances: { available: number; pending: number; reserved: number } | null;
}

/** The place of an id of this prefix. */
export function made(prefix: string): MadeId {
  return { madeId: prefix };
}
