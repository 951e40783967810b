import { describe, expect, test } from '@jest/globals';
import { Auditor } from '../../../simulator/auditor/auditor.ts';
import { Model } from '../../../simulator/model/model.ts';
import type { MemoryTables } from '../../../src/ledger/memory/memory-tables.ts';
import { type Desk, receiptOf } from '../../support/commands/desk.ts';
import { choose, club, happen, runKm } from '../../support/commands/engagement.ts';

/** A desk with three reviews for 50 points, two grants of perks, and a mug claimed from the first one. */
function busyClub(): Desk {
  const desk = club();
  for (const _review of [1, 2, 3]) receiptOf(happen(desk));
  receiptOf(runKm(desk, 20));
  receiptOf(choose(desk));
  return desk;
}

function first<K, V>(table: Map<K, V>, change: (row: V) => V | null): void {
  const [key, row] = [...table][0] as [K, V];
  const changed = change(row);
  if (changed === null) table.delete(key);
  else table.set(key, changed);
}

describe('of events and choices the auditor finds', () => {
  test('only the difference from an empty model, where no row is corrupt', () => {
    expect(() => Auditor.readAll(busyClub().store.tables, new Model())).toThrow('the model agrees');
  });

  const corruptions: [what: string, corrupt: (tables: MemoryTables) => void, invariant: string][] = [
    [
      'a completion that is in no receipt of an event',
      ({ challengeProgress }) =>
        first(challengeProgress, (row) => ({ ...row, completions: row.completions + 1 })),
      'a challenge is completed as often as it was awarded',
    ],
    [
      'an award that no progress knows of',
      ({ challengeProgress }) => first(challengeProgress, () => null),
      'a challenge is completed as often as it was awarded',
    ],
    [
      'points that are in no receipt of an event',
      ({ customEvents }) => {
        for (const [key, row] of customEvents) {
          const { awards } = row.receipt as { awards: { points: number }[] };
          const less = awards.map((award) => ({ ...award, points: 0 }));
          customEvents.set(key, { ...row, receipt: { ...row.receipt, awards: less } });
        }
      },
      'challenges have posted what events were answered',
    ],
    [
      'a choice that nobody claimed',
      ({ choiceGrants }) => first(choiceGrants, (row) => ({ ...row, remaining: row.remaining - 1 })),
      'a grant has left what was not claimed of it',
    ],
    ['a claim of no grant', ({ choiceGrants }) => first(choiceGrants, () => null), 'a claim is of a grant'],
    [
      'an inventory that leaks',
      ({ sharedCounters }) => first(sharedCounters, (row) => ({ ...row, taken: row.taken - 1 })),
      'a counter has counted the choices',
    ],
    [
      'a claim without a counter',
      ({ sharedCounters }) => sharedCounters.clear(),
      'a counter has counted the choices',
    ],
  ];
  test.each(corruptions)('%s', (_what, corrupt, invariant) => {
    const desk = busyClub();
    corrupt(desk.store.tables);
    expect(() => Auditor.readAll(desk.store.tables, new Model())).toThrow(invariant);
  });
});

describe('step by step it finds', () => {
  function watched(): { tables: MemoryTables; auditor: Auditor } {
    const { tables } = busyClub().store;
    const auditor = Auditor.beside(tables, new Model());
    expect(() => auditor.audit()).toThrow('the model agrees');
    return { tables, auditor };
  }

  test('choices that come back once they are over', () => {
    const { tables, auditor } = watched();
    first(tables.choiceGrants, (row) => ({ ...row, state: 'expired' as const }));
    expect(() => auditor.audit()).toThrow('the model agrees');
    first(tables.choiceGrants, (row) => ({ ...row, state: 'open' as const }));
    expect(() => auditor.audit()).toThrow('what is expired never opens again');
  });

  test('a completion that is taken back', () => {
    const { tables, auditor } = watched();
    first(tables.challengeProgress, (row) => ({ ...row, completions: row.completions - 1 }));
    expect(() => auditor.audit()).toThrow('what is completed stays completed');
  });
});
