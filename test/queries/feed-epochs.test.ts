import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type FeedEpoch, lastPositionKept, type ReadPosition } from '../../src/queries/feed-epochs.ts';

/** @param at milliseconds */
const epochOf = (epoch: number, kept: number, at: number): FeedEpoch => ({
  epoch,
  lastPositionKept: kept,
  at: new Date(at),
});

describe('what surely holds of what was read', () => {
  const first = epochOf(1, 0, 10);
  const second = epochOf(2, 50, 20);
  const third = epochOf(3, 80, 30);
  const begun = (at: number, kept?: number) => ({
    at: new Date(at),
    ...(kept === undefined ? {} : { lastPositionKept: kept }),
  });
  const cases: [what: string, epochs: FeedEpoch[], place: ReadPosition, last: number, kept: number | null][] =
    [
      ['no epoch', [first, second], { position: 90, epoch: null }, 60, null],
      ['the newest epoch', [first, second], { position: 60, epoch: 2 }, 60, null],
      [
        'the newest epoch, beginning then',
        [first, second],
        { position: 60, epoch: 2, epochStart: begun(20) },
        60,
        null,
      ],
      ['an older epoch', [first, second, third], { position: 90, epoch: 1 }, 90, 50],
      ['an older epoch, no further than that', [first, second], { position: 50, epoch: 1 }, 90, null],
      ['another beginning', [first, second], { position: 60, epoch: 2, epochStart: begun(15) }, 60, 0],
      [
        'another beginning that kept less',
        [first, second],
        { position: 60, epoch: 2, epochStart: begun(15, 40) },
        60,
        40,
      ],
      [
        'another beginning that kept more',
        [first, second],
        { position: 60, epoch: 2, epochStart: begun(15, 55) },
        60,
        50,
      ],
      [
        'that, of an older epoch',
        [first, second, third],
        { position: 60, epoch: 2, epochStart: begun(15, 55) },
        90,
        50,
      ],
      [
        'that, before an epoch here',
        [first, second, third],
        { position: 99, epoch: 3, epochStart: begun(18, 90) },
        99,
        0,
      ],
      [
        'no beginning that is known here',
        [first],
        { position: 70, epoch: 2, epochStart: begun(20, 50) },
        60,
        50,
      ],
      [
        'that, which kept more than there is',
        [first],
        { position: 70, epoch: 2, epochStart: begun(20, 65) },
        60,
        60,
      ],
      ['that, by its time alone', [first], { position: 70, epoch: 2, epochStart: begun(20) }, 60, 0],
      ['a newer epoch', [first], { position: 70, epoch: 99 }, 80, 0],
      ['a newer epoch from its start', [first], { position: 0, epoch: 99 }, 80, 0],
      ['two newer epochs', [first], { position: 95, epoch: 3, epochStart: begun(30, 80) }, 90, 0],
      ['no noted epoch', [], { position: 5, epoch: 1 }, 5, null],
      [
        'the first epoch before it was noted',
        [first],
        { position: 5, epoch: 1, epochStart: begun(0, 0) },
        5,
        null,
      ],
      ['another first epoch', [first], { position: 5, epoch: 1, epochStart: begun(5, 0) }, 9, 0],
    ];

  test.each(cases)('%s', (_what, epochs, place, last, kept) => {
    expect(lastPositionKept(epochs, place, last)).toBe(kept);
  });
});

/** A database: the events by position, and the epochs. */
interface State {
  log: number[];
  epochs: FeedEpoch[];
  /** Whether it goes on from an older state, and no event has come since. */
  isForked: boolean;
}

/** A reader that stopped somewhere, with what it has read. */
interface Reader {
  place: ReadPosition;
  read: number[];
}

type Step = { kind: 'write' | 'backup' | 'restore' | 'reset' | 'read'; number: number };

/** What happens to a database and its readers, step by step. */
class History {
  state: State = { log: [], epochs: [epochOf(1, 0, 1)], isForked: false };
  readonly readers: Reader[] = [];
  #backups: State[] = [];
  #time = 1;
  #events = 0;

  do({ kind, number }: Step): void {
    if (kind === 'write') this.#write(number);
    else if (kind === 'backup') this.#backups.push(structuredClone(this.state));
    else if (kind === 'restore') this.#restore(number);
    else if (kind === 'reset') this.#begin(0);
    else this.#read(number);
  }

  #write(count: number): void {
    if (this.state.isForked) this.#begin(this.state.log.length);
    for (let index = 0; index < count; index++) this.#happen();
  }

  #begin(kept: number): void {
    const { state } = this;
    this.#time += 1;
    state.epochs.push(epochOf(state.epochs.length + 1, kept, this.#time));
    state.log = state.log.slice(0, kept);
    state.isForked = false;
    this.#happen();
  }

  #happen(): void {
    this.#events += 1;
    this.state.log.push(this.#events);
  }

  /** The backups of what is given up are not restored later. */
  #restore(number: number): void {
    if (this.#backups.length === 0) return;
    this.#backups = this.#backups.slice(0, (number % this.#backups.length) + 1);
    this.state = { ...structuredClone(this.#backups.at(-1) as State), isForked: true };
  }

  #read(number: number): void {
    const { log, epochs } = this.state;
    const position = number % (log.length + 1);
    const { epoch, at, lastPositionKept: kept } = epochs.at(-1) as FeedEpoch;
    const read = log.slice(0, position);
    this.readers.push({ place: { position, epoch, epochStart: { at, lastPositionKept: kept } }, read });
    this.readers.push({ place: { position, epoch, epochStart: { at } }, read });
  }
}

test('nothing that did not happen is ever said to hold, whatever is restored and reset', () => {
  const step = fc.record<Step>({
    kind: fc.constantFrom('write', 'write', 'backup', 'restore', 'reset', 'read', 'read'),
    number: fc.nat({ max: 20 }),
  });
  let forks = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 4, maxLength: 25 }), (steps) => {
      const history = new History();
      for (const each of steps) history.do(each);
      const { log, epochs, isForked } = history.state;
      for (const { place, read } of history.readers) {
        const kept = lastPositionKept(epochs, place, log.length);
        if (kept !== null) forks += 1;
        // Where no event has come since a restore, its epoch is still to begin.
        if (kept === null && isForked) continue;
        const holding = read.slice(0, kept ?? place.position);
        expect(holding).toEqual(log.slice(0, holding.length));
      }
    }),
    { numRuns: 2_000 },
  );
  expect(forks).toBeGreaterThan(500);
});
