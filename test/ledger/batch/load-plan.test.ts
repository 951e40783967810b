import { describe, expect, test } from '@jest/globals';
import {
  claimsOf,
  keysOfSubjects,
  needsOf,
  openReservationsOf,
  subjectsOf,
} from '../../../src/ledger/batch/load-plan.ts';
import { WorkingSet } from '../../../src/ledger/batch/working-set.ts';
import type { Command, Subject } from '../../../src/ledger/command.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { reward } from '../../support/commands/reward-counter.ts';
import { program } from '../../support/rules/fixtures.ts';

const at = new Date('2026-03-04T12:00:00Z');
const later = new Date('2026-04-04T12:00:00Z');
const profile = { programId: 'coffee-club', externalCustomerId: 'ann' };

const commandOf = (...subjects: Subject[]): Command => ({ subjects }) as unknown as Command;

describe('a subject that several commands name is loaded once', () => {
  test('of points, enough for all of them', () => {
    const points = (count: number): Subject => ({ kind: 'points', ...profile, points: count });
    expect(subjectsOf([commandOf(points(5)), commandOf(points(7))])).toEqual([points(12)]);
  });

  test('points with the prices of every reward, each as often as it is redeemed', () => {
    const points = (...rewardIds: string[]): Subject => ({
      kind: 'points',
      ...profile,
      points: 1,
      rewardIds,
    });
    const subjects = subjectsOf([
      commandOf(points('mug')),
      commandOf(points('mug')),
      commandOf(points('cup')),
    ]);
    expect(subjects).toEqual([{ ...points('mug', 'mug', 'cup'), points: 3 }]);
    const rewards = [reward({ points: 100 }), reward({ id: 'cup', points: 7 })];
    const [early, late] = [program({ rewards }), program({ rewards: [reward({ points: 500 })] })];
    const versions = [
      { version: 1, effectiveFrom: at, publishedAt: at, document: early },
      { version: 2, effectiveFrom: later, publishedAt: at, document: late },
    ];
    const working = new WorkingSet(
      { id: 'env', kind: 'sandbox', locked: false, revision: 1 },
      new Map([['coffee-club', { programId: 'coffee-club', versions }]]),
      () => 'new',
    );
    working.rows.members.load({ id: 'm', externalCustomerId: 'ann' } as never);
    const need = { kind: 'spending', memberId: 'm', programId: 'coffee-club' };
    expect(needsOf(working, subjects, at)).toEqual([{ ...need, points: 3 + 100 + 100 + 7 }]);
    expect(needsOf(working, subjects, later)).toEqual([{ ...need, points: 3 + 500 + 500 }]);
  });

  test('limit counters once for each instant, because the instants may lie in different periods', () => {
    const counters = [at, later, null, at].map(
      (instant): Subject => ({ kind: 'limitCounters', ...profile, at: instant }),
    );
    expect(subjectsOf(counters.map((subject) => commandOf(subject)))).toEqual(counters.slice(0, 3));
  });

  test('members, profiles and orders by what identifies them', () => {
    const subjects: Subject[] = [
      { kind: 'member', externalCustomerId: 'ann' },
      { kind: 'member', externalCustomerId: 'ben' },
      { kind: 'profile', ...profile },
      { kind: 'profile', ...profile, programId: 'tea-club' },
      { kind: 'order', sourceReference: 'order-1' },
      { kind: 'orderLots', sourceReference: 'order-1' },
    ];
    expect(subjectsOf([commandOf(...subjects), commandOf(...subjects)])).toEqual(subjects);
  });
});

test.each<[Subject['kind'], boolean]>([
  ['order', false],
  ['orderLots', true],
])('the lots of an order are loaded for a return and not for a repeated purchase: %s', (kind, leads) => {
  const working = new WorkingSet(
    { id: 'env', kind: 'sandbox', locked: false, revision: 1 },
    new Map(),
    () => 'new',
  );
  working.rows.members.load({ id: 'mem', externalCustomerId: 'ann' } as never);
  working.rows.orders.load({ sourceReference: 'order-1', transactionId: 'txn', memberId: 'mem' } as never);
  const subject = { kind, sourceReference: 'order-1' } as Subject;
  const needs = leads ? [{ kind: 'transaction', transactionId: 'txn' }] : [];
  expect(needsOf(working, [subject], at)).toEqual(needs);
});

test('the owner of an order who is not among the members is looked up: it was merged, or the other one was', () => {
  const working = new WorkingSet(
    { id: 'env', kind: 'sandbox', locked: false, revision: 1 },
    new Map(),
    () => 'new',
  );
  working.rows.orders.load({ sourceReference: 'order-1', transactionId: 'txn', memberId: 'mem' } as never);
  const needs = needsOf(working, [{ kind: 'order', sourceReference: 'order-1' }], at);
  expect(needs).toEqual([{ kind: 'formerMember', memberId: 'mem' }]);
});

test.each([
  [0, []],
  [7, [{ kind: 'duePending', memberId: 'm', programId: 'coffee-club' }]],
])('pending lots are looked for only where the profile has pending points: %i', (pending, needs) => {
  const working = new WorkingSet(
    { id: 'env', kind: 'sandbox', locked: false, revision: 1 },
    new Map(),
    () => 'new',
  );
  working.rows.members.load({ id: 'm', externalCustomerId: 'ann' } as never);
  working.rows.profiles.load({ memberId: 'm', programId: 'coffee-club', pending } as never);
  expect(needsOf(working, [{ kind: 'points', ...profile, points: 5 }], at)).toEqual(needs);
});

test.each([
  [0, []],
  [7, [{ kind: 'openReservations', memberId: 'm', programId: 'coffee-club' }]],
])('open reservations are looked for only where the profile has reserved points: %i', (reserved, needs) => {
  const working = new WorkingSet(
    { id: 'env', kind: 'sandbox', locked: false, revision: 1 },
    new Map(),
    () => 'new',
  );
  const points: Subject = { kind: 'points', ...profile, points: 5 };
  expect(openReservationsOf(working, [points])).toEqual([]);
  working.rows.members.load({ id: 'm', externalCustomerId: 'ann' } as never);
  working.rows.profiles.load({ memberId: 'm', programId: 'coffee-club', reserved } as never);
  expect(openReservationsOf(working, [{ kind: 'profile', ...profile }, points])).toEqual(needs);
});

test('points are looked for at once, but for rewards, whose prices are not known yet; and so are lots of a transaction', () => {
  const points: Subject = { kind: 'points', ...profile, points: 5 };
  const member: Subject = { kind: 'member', externalCustomerId: 'ann' };
  const transaction = { kind: 'transaction', transactionId: 'txn' };
  const lots: Subject = { kind: 'transactionLots', transactionId: 'txn' };
  expect(keysOfSubjects([member, points, { ...points, rewardIds: ['mug'] }, lots])).toEqual([
    member,
    points,
    transaction,
  ]);
});

test('postings that were loaded are not looked for again', () => {
  const working = new WorkingSet(
    { id: 'env', kind: 'sandbox', locked: false, revision: 1 },
    new Map(),
    () => 'new',
  );
  working.rows.members.load({ id: 'm', externalCustomerId: 'ann' } as never);
  const held = { id: 'rsv', memberId: 'm', reserveTransactionId: 'txn', terms: { inventory: null } };
  working.rows.reservations.load(held as never);
  expect(needsOf(working, [], at)).toEqual([{ kind: 'transaction', transactionId: 'txn' }]);
  working.rows.postings.loadAll(['txn'], []);
  expect(needsOf(working, [], at)).toEqual([]);
});

test('the stock of a reward is locked where any version limits it, also one of before or after', () => {
  const unlimited = program({ rewards: [reward()] });
  const limited = program({ rewards: [reward({ inventory: 3 })] });
  const needsUnder = (...documents: ProgramDocument[]) => {
    const versions = documents.map((document, index) => ({
      ...{ version: index + 1, effectiveFrom: index === 0 ? at : later, publishedAt: at, document },
    }));
    const working = new WorkingSet(
      { id: 'env', kind: 'sandbox', locked: false, revision: 1 },
      new Map([['coffee-club', { programId: 'coffee-club', versions }]]),
      () => 'new',
    );
    return needsOf(working, [{ kind: 'stock', programId: 'coffee-club', rewardId: reward().id }], at);
  };
  const need = { kind: 'rewardStock', programId: 'coffee-club', rewardId: reward().id };
  expect(needsUnder(unlimited)).toEqual([]);
  expect(needsUnder(limited)).toEqual([need]);
  expect(needsUnder(unlimited, limited)).toEqual([need]);
  expect(needsUnder(limited, unlimited)).toEqual([need]);
});

test.each([
  [null, false],
  [3, true],
])('a hold that has taken from no stock may not give back to one: of %s', (inventory, isLocked) => {
  const working = new WorkingSet(
    { id: 'env', kind: 'sandbox', locked: false, revision: 1 },
    new Map(),
    () => 'new',
  );
  working.rows.members.load({ id: 'm', externalCustomerId: 'ann' } as never);
  const names = { programId: 'coffee-club', rewardId: 'mug' };
  const held = { id: 'rsv', memberId: 'm', reserveTransactionId: 'txn', terms: { inventory }, ...names };
  working.rows.reservations.load(held as never);
  expect(needsOf(working, [], at)).toEqual([
    { kind: 'transaction', transactionId: 'txn' },
    ...(isLocked ? [{ kind: 'rewardStock', ...names }] : []),
  ]);
});

test('orders with claims are looked up only where a loaded lot has a claim, each once', () => {
  const working = new WorkingSet(
    { id: 'env', kind: 'sandbox', locked: false, revision: 1 },
    new Map(),
    () => 'new',
  );
  const lotOf = (id: string, claimed: number, transactionId: string) =>
    working.rows.lots.load({ id, claimed, transactionId } as never);
  lotOf('one', 0, 'txn-1');
  expect(claimsOf(working)).toEqual([]);
  lotOf('two', 5, 'txn-2');
  lotOf('three', 1, 'txn-2');
  expect(claimsOf(working)).toEqual([{ kind: 'claim', transactionId: 'txn-2' }]);
});
