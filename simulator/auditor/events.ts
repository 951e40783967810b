import { isDeepStrictEqual } from 'node:util';
import { fromTypeId } from '../../src/ids.ts';
import type { MemoryTables } from '../../src/ledger/memory/memory-tables.ts';
import type { EventRecord } from '../../src/ledger/tables/events.ts';
import { keyOf } from '../../src/ledger/tables/key-of.ts';
import type { ProfileRecord } from '../../src/ledger/tables/program-profiles.ts';
import { type ExpectedEvent, isExpected } from '../model/expected-event.ts';
import { assertInvariant } from './broken-invariant.ts';
import type { ChangedRows } from './changed-rows.ts';
import { wereOne } from './present-owner.ts';
import { AMOUNTS } from './sums.ts';

/** The part of an event's data that every event about a profile has, and the transaction that many have. */
interface ProfileData {
  programId?: string;
  balances: Pick<ProfileRecord, 'available' | 'pending' | 'reserved'>;
  profileVersion: number;
  transactionId?: string | null;
  points?: number;
}

/** Checks the events against the rows that they tell of, and against those that the model expects. */
export class EventAuditor {
  readonly #tables: MemoryTables;
  /** The last event of each profile. */
  readonly #last = new Map<string, ProfileData>();

  constructor(tables: MemoryTables) {
    this.#tables = tables;
  }

  /**
   * @param expected the events of each command that was committed since the last call, in the order of commits; null to
   *   check the events by themselves
   */
  audit(changed: ChangedRows, expected: ExpectedEvent[][] | null): void {
    const written = changed.take('events').map(([, event]) => event);
    for (const event of written) this.#auditProfile(event);
    if (expected) this.#compare(written, expected);
  }

  /** With the versions a receiver tells which of two events has the newer balances: they have to say so truly. */
  #auditProfile(event: EventRecord): void {
    const key = keyOf(event.programId ?? '', event.memberId ?? '');
    const profile = this.#tables.profiles.get(key);
    if (!profile) return;
    const data = event.data as ProfileData;
    const last = this.#last.get(key);
    this.#last.set(key, data);
    const follows =
      !last ||
      data.profileVersion > last.profileVersion ||
      (data.profileVersion === last.profileVersion && sameBalances(data.balances, last.balances));
    assertInvariant(follows, 'a later event has a later version, or the same balances', { last, event });
    const isOfProfile =
      data.profileVersion < profile.version ||
      (data.profileVersion === profile.version && sameBalances(data.balances, profile));
    assertInvariant(isOfProfile, 'the latest event has the balances of the profile', { event, profile });
    if (!data.transactionId) return;
    const transaction = this.#tables.transactions.get(fromTypeId('txn', data.transactionId) ?? '');
    const told =
      transaction !== undefined &&
      wereOne(this.#tables, transaction.memberId, event.memberId ?? '') &&
      transaction?.programId === event.programId &&
      (!event.type.startsWith('points.') || transaction?.points === data.points);
    assertInvariant(told, 'an event tells of a transaction of its profile', { event, transaction });
  }

  /** The events of one command may come in any order; those of two commands in the order of the commands. */
  #compare(written: readonly EventRecord[], expected: ExpectedEvent[][]): void {
    let begin = 0;
    for (const ofCommand of expected) {
      const candidates = written.slice(begin, begin + ofCommand.length);
      begin += ofCommand.length;
      for (const event of ofCommand) {
        const index = candidates.findIndex((candidate) => this.#isSame(event, candidate));
        assertInvariant(index >= 0, 'a command sends the events that the model expects', {
          event,
          found: candidates,
        });
        candidates.splice(index, 1);
      }
    }
    assertInvariant(begin === written.length, 'a command sends no other events', written.slice(begin));
  }

  #isSame(expected: ExpectedEvent, actual: EventRecord): boolean {
    const { externalCustomerId } = expected;
    const memberId = externalCustomerId === null ? null : this.#tables.members.get(externalCustomerId)?.id;
    return actual.memberId === memberId && isExpectedEvent(expected, actual);
  }
}

/**
 * Whether an event is the expected one, member and version apart: it has the expected properties and no others.
 * @param actual as it is stored, without the member
 */
export function isExpectedEvent(
  expected: ExpectedEvent,
  actual: { type: string; programId: string | null; data: object },
): boolean {
  const {
    programId: _program,
    profileVersion: _version,
    balances,
    ...data
  } = actual.data as Partial<ProfileData>;
  const values: Readonly<Record<string, unknown>> = data;
  const names = Object.keys(values);
  return (
    actual.type === expected.type &&
    actual.programId === expected.programId &&
    isDeepStrictEqual(balances ?? null, expected.balances) &&
    names.length === Object.keys(expected.data).length &&
    names.every((name) => name in expected.data && isExpected(expected.data[name], values[name]))
  );
}

function sameBalances(a: ProfileData['balances'], b: ProfileData['balances']): boolean {
  return AMOUNTS.every((amount) => a[amount] === b[amount]);
}
