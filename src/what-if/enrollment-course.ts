/** An enrollment of a member in a program, or its end. */
export interface EnrollmentChange {
  at: Date;
  /** UUID of version 7 of its stored record: orders changes and events of the same instant. */
  id: string;
  /** Whether the member was enrolled from then on. */
  enrolled: boolean;
}

/** When an event was received, and the id of its stored record, a UUID of version 7. */
export interface Received {
  receivedAt: Date;
  /** UUID. */
  id: string;
}

/** The enrollment changes of one member, read in the order in which they happened. */
export class EnrollmentCourse {
  readonly #changes: readonly EnrollmentChange[];
  #next = 0;

  /** @param changes in order of time; each differs from the one before it */
  constructor(changes: readonly EnrollmentChange[]) {
    this.#changes = changes;
  }

  /** The first enrollment; null for a member who never enrolled. */
  get first(): EnrollmentChange | null {
    return this.#changes[0] ?? null;
  }

  /** The next change that happened before an event was received; null where there is none. Each is returned once. */
  nextBefore(event: Received): EnrollmentChange | null {
    const change = this.#changes[this.#next];
    if (!change || !comesBefore(change, event)) return null;
    this.#next += 1;
    return change;
  }

  /** Whether the member was enrolled when an event was received. */
  enrolledAt(event: Received): boolean {
    return this.#changes.findLast((change) => comesBefore(change, event))?.enrolled ?? false;
  }
}

function comesBefore({ at, id }: EnrollmentChange, { receivedAt, id: eventId }: Received): boolean {
  const apart = at.getTime() - receivedAt.getTime();
  return apart === 0 ? id < eventId : apart < 0;
}
