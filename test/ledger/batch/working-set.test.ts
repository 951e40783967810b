import { expect, test } from '@jest/globals';
import { openGrants } from '../../../src/commands/shared/open-grants.ts';
import { WorkingSet } from '../../../src/ledger/batch/working-set.ts';
import type { Subject } from '../../../src/ledger/command.ts';
import type { TableName } from '../../../src/ledger/tables/all-tables.ts';
import type { RowSet } from '../../../src/ledger/tables/record-set.ts';

const at = new Date('2026-03-04T12:00:00Z');
const PROGRAMS = ['coffee-club', 'tea-club'];
const MEMBERS = ['ann', 'ben'];

/** A batch that has loaded rows of two members in two programs: of each profile the same ones. */
function loaded(): WorkingSet {
  const working = new WorkingSet(
    { id: 'env', kind: 'sandbox', locked: false, revision: 1 },
    new Map(),
    () => 'new',
  );
  const load = (name: TableName, row: object): void => (working.rows[name] as RowSet<object>).load(row);
  for (const externalCustomerId of MEMBERS) {
    const memberId = `${externalCustomerId}-id`;
    load('members', { id: memberId, externalCustomerId });
    for (const programId of PROGRAMS) {
      const id = `${programId}/${externalCustomerId}`;
      const profile = { programId, memberId };
      load('profiles', { ...profile, id });
      load('lots', { ...profile, id, transactionId: id, lent: 5 });
      load('lots', { ...profile, id: `${id} owes`, transactionId: `${id} owes`, lent: -5 });
      load('quotes', { ...profile, id, state: 'quoted' });
      load('quotes', { ...profile, id: `${id} used`, state: 'used' });
      load('reservations', { ...profile, id, state: 'reserved' });
      load('reservations', { ...profile, id: `${id} ended`, state: 'released' });
      load('disputes', { id, reservationId: id, openedAt: at });
      load('orders', { ...profile, id, sourceReference: id, transactionId: id });
      load('challengeProgress', { ...profile, id, challengeId: 'visits', windowStart: at });
      load('choiceGrants', { ...profile, id, state: 'open', grantedAt: at });
      load('choiceGrants', { ...profile, id: `${id} used`, state: 'exhausted', grantedAt: at });
      load('choiceClaims', { ...profile, id, sourceReference: id, grantId: id });
    }
  }
  return working;
}

const ids = (rows: readonly object[]): unknown[] => rows.map((row) => (row as { id: string }).id).sort();

test.each(PROGRAMS.flatMap((programId) => MEMBERS.map((member) => [programId, member] as const)))(
  'a decision about %s of %s sees rows of this profile alone',
  (programId, externalCustomerId) => {
    const working = loaded();
    const profile = { programId, externalCustomerId };
    const id = `${programId}/${externalCustomerId}`;
    const subjects: Subject[] = [
      { kind: 'openQuotes', ...profile },
      { kind: 'points', ...profile, points: 0 },
      { kind: 'disputes', reservationId: id },
    ];
    for (const subject of subjects) working.admit(subject);
    const points = working.loadedPoints(programId, externalCustomerId);
    expect(ids(points.lots)).toEqual([id, `${id} owes`]);
    expect(ids(points.reservations)).toEqual([id]);
    const owner = { programId, memberId: `${externalCustomerId}-id` };
    expect(ids(working.lendingLots(owner))).toEqual([id]);
    expect(ids(working.openQuotes(programId, externalCustomerId))).toEqual([id]);
    expect(ids(working.rowsOf('disputes', { reservationId: id }))).toEqual([id]);
    expect(ids([working.orderOf(working.lot(id)) ?? {}])).toEqual([id]);
    expect(working.orderOf(working.lot(`${id} owes`))).toBeNull();
  },
);

test('a decision can not read what was not loaded for it', () => {
  const working = loaded();
  expect(() => working.lot('other')).toThrow('is not loaded');
  expect(() => working.postingsOf('other')).toThrow('are not loaded');
  expect(() => working.row('orders', 'coffee-club/ann')).toThrow('read without a lock');
  expect(() => working.rowsOf('choiceGrants', { externalCustomerId: 'ann' })).toThrow('read without a lock');
  expect(() => working.rowsOf('orders', { externalCustomerId: 'ann' })).toThrow(
    'no subject has rows of orders',
  );
});

test.each(MEMBERS)(
  'a decision about all programs of %s sees rows of this member alone',
  (externalCustomerId) => {
    const working = loaded();
    for (const kind of ['profiles', 'challengeProgress', 'choiceGrants'] as const) {
      working.admit({ kind, externalCustomerId });
    }
    const own = PROGRAMS.map((programId) => `${programId}/${externalCustomerId}`);
    expect(ids(working.profilesOf(externalCustomerId))).toEqual(own);
    expect(ids(working.rowsOf('challengeProgress', { externalCustomerId }))).toEqual(own);
    expect(ids(openGrants(working, externalCustomerId))).toEqual(own);
    expect(ids(working.rowsOf('choiceClaims', { externalCustomerId }))).toEqual(own);
  },
);
