import { type PublishedProgram, versionAt } from '../../programs/published/published-program.ts';
import { findReward, leastPoints } from '../../rules/rewards.ts';
import type { Command, Subject } from '../command.ts';
import { type AnyLookUpKey, LOOK_UPS, type TableLookUp } from '../tables/all-tables.ts';
import { keyOf } from '../tables/key-of.ts';
import type { LookUpKey } from '../tables/look-up.ts';
import type { Need } from '../tables/needs.ts';
import { needsOfMerge } from './needs-of-merge.ts';
import { subjectKey } from './subject-key.ts';
import type { WorkingSet } from './working-set.ts';

/** One look-up of a round, with the subjects and needs that it finds rows for. */
export interface Fetch extends TableLookUp {
  keys: readonly LookUpKey[];
}

/** The look-ups of a round, in the order in which they are sent. */
export function fetchesFor(keys: readonly (AnyLookUpKey | Subject)[]): Fetch[] {
  const byKind = Map.groupBy<string, LookUpKey>(keys, ({ kind }) => kind);
  return LOOK_UPS.flatMap((tableLookUp) => {
    const asked = Object.keys(tableLookUp.lookUp.keyProperties).flatMap((kind) => byKind.get(kind) ?? []);
    return asked.length > 0 ? [{ ...tableLookUp, keys: asked }] : [];
  });
}

/** The commands of a batch with their prerequisites. Several commands may share these: each is there once. */
export function withPrerequisites(commands: readonly Command[]): readonly Command[] {
  const first = new Set(commands.map(({ prerequisites }) => prerequisites));
  first.delete(undefined);
  if (first.size === 0) return commands;
  return [...[...first].flatMap((prerequisites) => prerequisites?.commands ?? []), ...commands];
}

/** The subjects of a batch, each once. */
export function subjectsOf(commands: readonly Command[]): Subject[] {
  const subjects = new Map<string, Subject>();
  for (const command of commands) for (const subject of command.subjects) want(subjects, subject);
  return [...subjects.values()];
}

/** The idempotency keys of a batch, as subjects: they lead to the stored receipts. */
export function keysOf(commands: readonly Command[]): AnyLookUpKey[] {
  return commands.flatMap(({ operation, idempotencyKey }) =>
    idempotencyKey === null ? [] : [{ kind: 'idempotencyKey', operation, key: idempotencyKey }],
  );
}

/**
 * What a round looks for by its subjects alone. Points for rewards are not among it: their prices are known when the
 * programs are.
 */
export function keysOfSubjects(subjects: readonly Subject[]): (AnyLookUpKey | Subject)[] {
  return subjects.flatMap((subject): (AnyLookUpKey | Subject)[] => {
    if (subject.kind === 'points' && subject.rewardIds) return [];
    if (subject.kind === 'transactionLots')
      return [{ kind: 'transaction', transactionId: subject.transactionId }];
    return [subject];
  });
}

/** Adds a subject to those of the batch. Where several commands spend from one profile, their points are added up. */
function want(subjects: Map<string, Subject>, subject: Subject): void {
  const key = loadKey(subject);
  const existing = subjects.get(key);
  if (subject.kind === 'points' && existing?.kind === 'points') {
    const rewardIds = [...(existing.rewardIds ?? []), ...(subject.rewardIds ?? [])];
    subjects.set(key, {
      ...existing,
      points: existing.points + subject.points,
      ...(rewardIds.length > 0 && { rewardIds }),
    });
  } else if (subject.kind === 'sharedCounters') {
    // Commands may name different counters of the same program, so every such subject is kept.
    subjects.set(`${key} ${subjects.size}`, subject);
  } else if (!existing) subjects.set(key, subject);
}

/**
 * The key under which a subject is loaded once. Subjects of limit counters with different instants are kept apart,
 * because the instants may lie in different periods.
 */
function loadKey(subject: Subject): string {
  const key = subjectKey(subject);
  return subject.kind === 'limitCounters' && subject.at ? keyOf(key, subject.at.toISOString()) : key;
}

/**
 * Marks the subjects that name merged members as loaded for the members whom their names answer for too, so that a
 * decision may go on with the name of the member that it finds.
 */
export function admitTargets(working: WorkingSet, subjects: readonly Subject[]): void {
  const { targets } = working.rows.members;
  if (targets.size === 0) return;
  for (const subject of subjects) {
    const target = 'externalCustomerId' in subject && targets.get(subject.externalCustomerId);
    if (target) working.admit({ ...subject, externalCustomerId: target });
  }
}

/** The subjects that follow from those of the batch once their profiles are loaded. */
export function laterSubjects(working: WorkingSet, subjects: readonly Subject[], now: Date): Subject[] {
  return [...duePoints(working, subjects, now), ...pointsOfMerging(working, subjects)];
}

/** The open reservations of profiles that are to be settled: those that hold points. */
export function openReservationsOf(working: WorkingSet, subjects: readonly Subject[]): Need[] {
  return subjects.flatMap((subject): Need[] => {
    if (subject.kind !== 'points') return [];
    const { programId, externalCustomerId } = subject;
    const memberId = working.rows.members.get(externalCustomerId)?.id ?? null;
    const { reserved = 0 } = working.profileOf({ memberId, programId }) ?? {};
    return memberId !== null && reserved > 0 ? [{ kind: 'openReservations', memberId, programId }] : [];
  });
}

/** The subjects of everything that has points, owes some or is owed some, in each profile of a `mergingMember`. */
function pointsOfMerging(working: WorkingSet, subjects: readonly Subject[]): Subject[] {
  return subjects
    .filter(({ kind }) => kind === 'mergingMember')
    .flatMap((subject) => ('externalCustomerId' in subject ? [subject.externalCustomerId] : []))
    .flatMap((externalCustomerId) =>
      working.profilesOf(externalCustomerId).flatMap(({ programId }): Subject[] => [
        // More than anybody has: every open lot is loaded.
        { kind: 'points', programId, externalCustomerId, points: Number.MAX_SAFE_INTEGER },
        { kind: 'pendingLots', programId, externalCustomerId },
        { kind: 'owingLots', programId, externalCustomerId },
        { kind: 'openQuotes', programId, externalCustomerId },
      ]),
    );
}

/**
 * The `points` subjects that follow from `due` and `profiles` subjects: one for each of their profiles in which
 * something is due by `now`.
 */
function duePoints(working: WorkingSet, subjects: readonly Subject[], now: Date): Subject[] {
  return subjects
    .flatMap((subject) => {
      if (subject.kind === 'due') return [subject];
      if (subject.kind !== 'profiles') return [];
      const { externalCustomerId } = subject;
      return working
        .profilesOf(externalCustomerId)
        .map(({ programId }) => ({ programId, externalCustomerId }));
    })
    .filter(({ programId, externalCustomerId }) => {
      const dueAt = working.profile(programId, externalCustomerId)?.nextDueAt;
      return dueAt && dueAt <= now;
    })
    .map(({ programId, externalCustomerId }) => ({
      kind: 'points',
      programId,
      externalCustomerId,
      points: 0,
    }));
}

/**
 * The needs of a batch: further rows, which are known only from the programs and from the rows loaded so far.
 * @param now the database's time, no later than the time of the decisions
 */
export function needsOf(working: WorkingSet, subjects: readonly Subject[], now: Date): Need[] {
  const needs = new Map<string, Need>();
  const add = (need: Need): void => {
    if (need.kind === 'transaction' && working.rows.postings.of(need.transactionId)) return;
    needs.set(keyOf(...Object.values(need).map(String)), need);
  };
  for (const subject of subjects) {
    if (subject.kind === 'stock' && isLimited(working.program(subject.programId), subject.rewardId))
      add({ ...subject, kind: 'rewardStock' });
    if (subject.kind === 'sharedCounters')
      for (const counter of countersOf(working, subject, now)) add(counter);
    if (subject.kind === 'couponCode') {
      const { programId, code } = subject;
      const codeHash = working.couponCodeHash(programId, code);
      if (codeHash !== null) add({ kind: 'couponCodeHash', programId, codeHash });
    }
    if (subject.kind === 'orderLots') {
      const order = working.rows.orders.get(subject.sourceReference);
      if (order) add({ kind: 'transaction', transactionId: order.transactionId });
    }
    if (subject.kind === 'points') for (const need of needsOfPoints(working, subject, now)) add(need);
    if (subject.kind === 'pendingLots') {
      const member = working.rows.members.get(subject.externalCustomerId);
      if (member) add({ kind: 'pending', memberId: member.id, programId: subject.programId });
    }
    if (subject.kind === 'owingLots') {
      const member = working.rows.members.get(subject.externalCustomerId);
      if (member) add({ kind: 'owing', memberId: member.id, programId: subject.programId });
    }
  }
  for (const { reserveTransactionId, programId, rewardId, terms } of working.rows.reservations.filter(
    () => true,
  )) {
    add({ kind: 'transaction', transactionId: reserveTransactionId });
    if (terms.inventory !== null) add({ kind: 'rewardStock', programId, rewardId });
  }
  for (const { transactionId } of working.rows.adjustments.filter(() => true)) {
    if (transactionId) add({ kind: 'transaction', transactionId });
  }
  for (const { transactionId } of working.rows.exchangeSettlements.filter(() => true)) {
    add({ kind: 'transaction', transactionId });
  }
  for (const merge of working.rows.memberMerges.filter(() => true)) {
    for (const need of needsOfMerge(working, merge)) add(need);
  }
  // An event, a claim or a settlement with a partner is told from that of another person by its member. The member of
  // an order, a reservation or an adjustment was looked up before the batch, and may be another one by now.
  const { customEvents, choiceClaims, exchangeSettlements, orders, reservations, adjustments, members } =
    working.rows;
  const rewarded = subjects.flatMap((subject) =>
    subject.kind === 'transactionLots' && subject.memberId ? [{ memberId: subject.memberId }] : [],
  );
  const owned = [customEvents, choiceClaims, exchangeSettlements, orders, reservations, adjustments].flatMap(
    (rows): { memberId: string | null }[] => rows.filter(() => true),
  );
  const memberIds = new Set(members.filter(() => true).map(({ id }) => id));
  for (const { memberId } of [...owned, ...rewarded]) {
    if (memberId === null || memberIds.has(memberId) || members.isMerged(memberId)) continue;
    add({ kind: 'formerMember', memberId });
  }
  return [...needs.values()];
}

/** What is needed to settle a profile, and to spend from it, besides what `keysOfSubjects` has asked for. */
function needsOfPoints(
  working: WorkingSet,
  { programId, externalCustomerId, points, rewardIds }: Extract<Subject, { kind: 'points' }>,
  now: Date,
): Need[] {
  const member = working.rows.members.get(externalCustomerId);
  if (!member) return [];
  const profile = { memberId: member.id, programId };
  const needs: Need[] = [];
  if (rewardIds) {
    const program = working.program(programId);
    const prices = rewardIds.reduce((sum, rewardId) => sum + priceOf(program, rewardId, now), 0);
    needs.push({ kind: 'spending', ...profile, points: points + prices });
  }
  // A profile has as many pending points as its lots have together.
  const pending = working.profileOf(profile)?.pending ?? 0;
  if (pending > 0) needs.push({ kind: 'duePending', ...profile });
  return needs;
}

/**
 * The needs that follow from the lots of a batch, once these are loaded: the orders that have a claim on one of them.
 */
export function claimsOf(working: WorkingSet): Need[] {
  const claimed = working.rows.lots.filter((lot) => lot.claimed > 0).map((lot) => lot.transactionId);
  return [...new Set(claimed)].map((transactionId) => ({ kind: 'claim', transactionId }));
}

/** By program: the rewards of which a version has ever had a limited number. */
const limitedRewards = new WeakMap<PublishedProgram, ReadonlySet<string>>();

/**
 * Whether a decision about a reward may read its stock: whichever version decides, or has decided in a quote, is among
 * those published.
 */
function isLimited(program: PublishedProgram | null, rewardId: string): boolean {
  if (!program) return false;
  let limited = limitedRewards.get(program);
  if (!limited) {
    const rewards = program.versions.flatMap(({ document }) => document.rewards ?? []);
    limited = new Set(rewards.filter(({ inventory }) => inventory !== undefined).map(({ id }) => id));
    limitedRewards.set(program, limited);
  }
  return limited.has(rewardId);
}

/** The points that a reward costs at an instant; 0 where the program does not have it. */
function priceOf(program: PublishedProgram | null, rewardId: string, at: Date): number {
  const version = program && versionAt(program, at);
  const reward = version && findReward(version.document, rewardId);
  return reward ? leastPoints(reward) : 0;
}

/** The shared counters that the published programs have, for a subject that asks for those of one program or of all. */
function countersOf(
  working: WorkingSet,
  { programId, counterIds }: Extract<Subject, { kind: 'sharedCounters' }>,
  now: Date,
): Need[] {
  return working
    .programs()
    .filter((program) => programId === null || program.programId === programId)
    .flatMap((program) =>
      counterIds(program, now).map(
        (counterId): Need => ({ kind: 'sharedCounter', programId: program.programId, counterId }),
      ),
    );
}
