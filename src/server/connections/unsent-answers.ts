import type { IncomingMessage, ServerResponse } from 'node:http';

/** Who an answer is for: its bytes count for each of these names. */
export interface AnswerOwner {
  /** The key, or the address where there is none. */
  credential: string;
  /** Null where the request has no key. */
  environmentId: string | null;
}

export interface UnsentLimits {
  /**
   * The most bytes of answers that clients have not read, in this process. An environment may have half of it, a key a
   * quarter.
   */
  limitBytes: number;
  /** Called only for answers that a client leaves unread for a moment. */
  ownerOf(request: IncomingMessage): AnswerOwner;
  /** Called for each connection that is cut off. */
  onCutOff(): void;
}

interface Debt {
  response: ServerResponse;
  bytes: number;
  names: readonly { name: string; share: number }[];
}

const PROCESS = 'process';

/**
 * The answers that are made and that their clients have not read yet. They lie in memory, so that a client which asks
 * much and reads nothing would fill it: beyond a limit, the largest debtor's connections are cut off, the one with the
 * largest answer first. A limit for each connection alone is none, since one client has many connections.
 */
export class UnsentAnswers {
  readonly #limits: UnsentLimits;
  readonly #debts = new Map<ServerResponse, Debt>();
  /** The bytes of the debts by the names that they count for, so that an answer costs the same however many wait. */
  readonly #sums = new Map<string, number>();

  constructor(limits: UnsentLimits) {
    this.#limits = limits;
  }

  /** The bytes of answers that wait for their clients, as many as they were when each answer was complete. */
  get bytes(): number {
    return this.#sums.get(PROCESS) ?? 0;
  }

  /** To be called when an answer is complete: counts what of it is not sent, and cuts off whoever owes too much. */
  note(response: ServerResponse): void {
    const bytes = response.writableLength;
    if (bytes === 0) return;
    const names = namesOf(this.#limits.ownerOf(response.req));
    this.#debts.set(response, { response, bytes, names });
    this.#add(names, bytes);
    // The smallest share first: who owes too much is cut off before others of its environment or process are.
    for (const { name, share } of names) this.#cutOffBeyond(this.#limits.limitBytes * share, name);
  }

  /** To be called when an answer is sent, or its connection gone. */
  forget(response: ServerResponse): void {
    const debt = this.#debts.get(response);
    if (!debt) return;
    this.#debts.delete(response);
    this.#add(debt.names, -debt.bytes);
  }

  #add(names: Debt['names'], bytes: number): void {
    for (const { name } of names) {
      const sum = (this.#sums.get(name) ?? 0) + bytes;
      if (sum === 0) this.#sums.delete(name);
      else this.#sums.set(name, sum);
    }
  }

  /** One answer alone is never too much: who reads slowly, and one thing at a time, gets it whole. */
  #cutOffBeyond(limitBytes: number, name: string): void {
    if ((this.#sums.get(name) ?? 0) <= limitBytes) return;
    const counted = [...this.#debts.values()].filter(({ names }) => names.some((each) => each.name === name));
    for (const debt of counted) this.#recount(debt);
    while (counted.length > 1 && (this.#sums.get(name) ?? 0) > limitBytes) {
      const most = counted.reduce((one, other) => (this.#owesMore(other, one) ? other : one));
      counted.splice(counted.indexOf(most), 1);
      const { response } = most;
      this.forget(response);
      response.req.socket.destroy();
      this.#limits.onCutOff();
    }
  }

  /**
   * Whether one of two answers is to be cut off before the other: that of the environment that owes more in all, or of
   * the address without one, then of the key that owes more, then the larger one. So many small answers of one client
   * never cost others their large one.
   */
  #owesMore(one: Debt, other: Debt): boolean {
    const inAll = this.#sumOf(one, -2) - this.#sumOf(other, -2);
    const byKey = this.#sumOf(one, 0) - this.#sumOf(other, 0);
    return (inAll || byKey || one.bytes - other.bytes) > 0;
  }

  /** What is owed in all under one of an answer's names. @param index into its names, the smallest share first */
  #sumOf({ names }: Debt, index: number): number {
    return this.#sums.get(names.at(index)?.name ?? '') ?? 0;
  }

  /** Some of it has been read since it was counted. */
  #recount(debt: Debt): void {
    const bytes = debt.response.writableLength;
    this.#add(debt.names, bytes - debt.bytes);
    debt.bytes = bytes;
  }
}

/** The sums in which an answer counts, each with its share of the limit, the smallest share first. */
function namesOf({ credential, environmentId }: AnswerOwner): Debt['names'] {
  return [
    { name: `credential ${credential}`, share: 1 / 4 },
    ...(environmentId === null ? [] : [{ name: `environment ${environmentId}`, share: 1 / 2 }]),
    { name: PROCESS, share: 1 },
  ];
}
