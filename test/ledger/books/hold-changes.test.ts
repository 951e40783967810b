import { describe, expect, test } from '@jest/globals';
import { Book } from '../../../src/ledger/books/book.ts';
import { noHoldChanges, takenOf, withEnded, withStock } from '../../../src/ledger/books/holds.ts';
import { settle } from '../../../src/ledger/books/settle.ts';
import type { LoadedPoints, State } from '../../../src/ledger/state.ts';
import type { ProfileRecord } from '../../../src/ledger/tables/program-profiles.ts';
import type { ReservationRecord } from '../../../src/ledger/tables/redemption-reservations.ts';
import { daysFrom } from '../../support/commands/desk.ts';
import { noon } from '../../support/rules/fixtures.ts';

let ids = 0;
const newId = (): string => `00000000-0000-7000-8000-${String(++ids).padStart(12, '0')}`;

/** The stored state: three mugs are taken. The reservations hold no lots, because the tests look at the stock only. */
const state = {
  newId,
  postingsOf: () => [],
  stock: (programId: string, rewardId: string) => ({ programId, rewardId, taken: 3 }),
} as unknown as State;

function reservation(inventory: number | null = 5): ReservationRecord {
  const id = newId();
  return {
    id,
    transactionId: id,
    memberId: newId(),
    programId: 'p',
    rewardId: 'mug',
    state: 'reserved',
    reserveTransactionId: id,
    terms: { inventory },
    expiresAt: daysFrom(noon, -1),
  } as ReservationRecord;
}

/** Settles a new profile that has these reservations. */
function settled(reservations: ReservationRecord[], before = noHoldChanges) {
  const profile = { programId: 'p', memberId: 'm', nextDueAt: null, lastActivityAt: null } as ProfileRecord;
  const loaded: LoadedPoints = {
    externalCustomerId: 'ann',
    lots: [],
    limit: null,
    reservations,
    moreDue: false,
  };
  return settle(new Book(profile, state, noon), loaded, state, before);
}

describe('what a decision changes of holds', () => {
  test('is a value: the next step goes on from it, and it stays as it is', () => {
    const [first, second] = [reservation(), reservation()];
    const buyers = settled([first]);
    const snapshot = structuredClone(buyers);
    const both = settled([second], buyers);
    expect(both.reservations.map(({ id, state }) => [id, state])).toEqual([
      [first.id, 'expired'],
      [second.id, 'expired'],
    ]);
    expect(takenOf(both, 'p', 'mug', state)).toBe(1);
    expect(buyers).toEqual(snapshot);
    expect(takenOf(buyers, 'p', 'mug', state)).toBe(2);
    expect(noHoldChanges).toEqual({ reservations: [], stocks: new Map() });
  });

  test('counts from what is stored where no step has changed the stock', () => {
    expect(takenOf(noHoldChanges, 'p', 'mug', state)).toBe(3);
    const taken = withStock(noHoldChanges, { programId: 'p', rewardId: 'mug', taken: 4 });
    expect(takenOf(taken, 'p', 'mug', state)).toBe(4);
    expect(noHoldChanges.stocks.size).toBe(0);
  });

  test('gives nothing back to a stock that has no end, or of which nothing is taken', () => {
    expect(withEnded(noHoldChanges, reservation(null), state).stocks.size).toBe(0);
    const empty = withStock(noHoldChanges, { programId: 'p', rewardId: 'mug', taken: 0 });
    expect(takenOf(withEnded(empty, reservation(), state), 'p', 'mug', state)).toBe(0);
  });
});
