import { setTimeout as sleep } from 'node:timers/promises';
import type { Gate } from './gate.ts';

/** One side of a race: work whose statements all go through its gate. */
export interface Side {
  gate: Gate;
  work(): Promise<unknown>;
}

export type Sides = readonly [Side, Side];

/**
 * The order of two sides' statements: side `first` (0 or 1) sends `legs[0]` of them, then the other side `legs[1]`, and
 * so on by turns. After the last leg each side runs to its end. A side that waits for a lock passes its turn on.
 */
export interface Interleaving {
  first: 0 | 1;
  legs: readonly number[];
}

export interface Interleaved {
  /** What the work of each side resolved with. */
  results: [unknown, unknown];
  /** How many statements each side sent. */
  sent: [number, number];
  /** What happened, in order: `A begin …`, `B waits`, `B ended`. */
  log: string[];
  /** Each side waited for a lock of the other one. */
  isDeadlocked: boolean;
}

/** How long a statement may take before the server is asked whether it waits for a lock. */
const PATIENCE_MS = 3;
/** Between two legs, so that instants of different legs differ in the database's milliseconds. */
const PAUSE_MS = 2;

/**
 * Runs two sides so that at any time only one of them sends a statement, in the given order.
 * @param waitsForLock whether the backend of this process id waits for a lock
 * @throws what the work of a side rejected with
 */
export async function interleave(
  sides: Sides,
  { first, legs }: Interleaving,
  waitsForLock: (processId: number) => Promise<boolean>,
): Promise<Interleaved> {
  const log: string[] = [];
  for (const { gate } of sides) gate.shut();
  const runners = [
    new Runner('A', sides[0], log, waitsForLock),
    new Runner('B', sides[1], log, waitsForLock),
  ] as const;
  let isDeadlocked = false;
  let leg = 0;
  let stepsLeft = legs[0] ?? Number.POSITIVE_INFINITY;
  let turn = first;
  try {
    for (;;) {
      const [mine, other] = [runners[turn], runners[turn === 0 ? 1 : 0]];
      if (mine.hasEnded && other.hasEnded) break;
      if (mine.isWaiting && other.isWaiting) isDeadlocked = true;
      if (mine.isStuck && other.isStuck) {
        await Promise.race([mine.answered(), other.answered()]);
        continue;
      }
      if (mine.isStuck || stepsLeft === 0) {
        await sleep(PAUSE_MS);
        leg += 1;
        stepsLeft = legs[leg] ?? Number.POSITIVE_INFINITY;
        turn = turn === 0 ? 1 : 0;
        continue;
      }
      if (await mine.step()) stepsLeft -= 1;
      if (other.isWaiting) await other.answeredOrWaiting(0);
    }
  } finally {
    for (const { gate } of sides) gate.open();
  }
  const [a, b] = runners;
  return {
    results: [await a.result, await b.result],
    sent: [a.sent, b.sent],
    log,
    isDeadlocked,
  };
}

/** A side while it runs. */
class Runner {
  readonly result: Promise<unknown>;
  hasEnded = false;
  isWaiting = false;
  sent = 0;
  readonly #name: string;
  readonly #gate: Gate;
  readonly #log: string[];
  readonly #waitsForLock: (processId: number) => Promise<boolean>;
  readonly #ended: Promise<void>;
  #inFlight: { answer: Promise<boolean>; processId: number } | null = null;

  constructor(
    name: string,
    { gate, work }: Side,
    log: string[],
    waitsForLock: (processId: number) => Promise<boolean>,
  ) {
    this.#name = name;
    this.#gate = gate;
    this.#log = log;
    this.#waitsForLock = waitsForLock;
    this.result = work();
    const end = (): void => {
      this.hasEnded = true;
      log.push(`${name} ended`);
    };
    this.#ended = this.result.then(end, end);
  }

  /** Whether it can send nothing now. */
  get isStuck(): boolean {
    return this.hasEnded || this.isWaiting;
  }

  /** Sends the next statement, and waits until it is answered or waits for a lock. @returns false at the end */
  async step(): Promise<boolean> {
    const statement = await this.#gate.next(this.#ended);
    if (!statement) {
      await this.#ended;
      return false;
    }
    this.sent += 1;
    this.#log.push(`${this.#name} ${statement.text.trim().replaceAll(/\s+/g, ' ').slice(0, 60)}`);
    this.#inFlight = { answer: statement.send().then(() => true), processId: statement.processId };
    await this.answeredOrWaiting(PATIENCE_MS);
    return true;
  }

  /** Waits until the statement that was sent last is answered, or waits for a lock. */
  async answeredOrWaiting(patienceMs: number): Promise<void> {
    if (!this.#inFlight) return;
    const { answer, processId } = this.#inFlight;
    for (let wait = patienceMs; ; wait = PATIENCE_MS) {
      if (await Promise.race([answer, sleep(wait, false)])) {
        this.isWaiting = false;
        return;
      }
      if (await this.#waitsForLock(processId)) {
        if (!this.isWaiting) this.#log.push(`${this.#name} waits`);
        this.isWaiting = true;
        return;
      }
    }
  }

  /** Waits for the answer to the statement that waits for a lock; for good where there is none. */
  async answered(): Promise<void> {
    if (!this.isWaiting || !this.#inFlight) return new Promise(() => {});
    await this.#inFlight.answer;
    this.isWaiting = false;
  }
}
