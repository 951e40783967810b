import { toTypeId } from '../../ids.ts';
import { Book, transactionId } from '../../ledger/books/book.ts';
import { type HoldChanges, noHoldChanges } from '../../ledger/books/holds.ts';
import { wouldOverflow } from '../../ledger/books/posting.ts';
import { settle } from '../../ledger/books/settle.ts';
import { transferLot } from '../../ledger/books/transfer.ts';
import type { DecisionPart } from '../../ledger/merge-decisions.ts';
import type { State } from '../../ledger/state.ts';
import type { LotRecord } from '../../ledger/tables/lot-rows.ts';
import type { MemberRecord } from '../../ledger/tables/members.ts';
import type { LotUndo, ProgramUndo } from '../../ledger/tables/merge-undos.ts';
import type { ProfileRecord } from '../../ledger/tables/program-profiles.ts';
import type { ProgramDocument } from '../../programs/document/program-document.ts';
import { versionAt } from '../../programs/published/published-program.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { joinedStanding, type Standing } from '../../rules/standing.ts';
import { refuseAmountOverflow } from '../shared/balance-limit.ts';
import { bookedParts } from '../shared/booked-decision.ts';
import { grantChoices, grantsForTier } from '../shared/choice-grants.ts';
import { tierChange } from '../shared/tier-change.ts';
import { newProfile } from './new-profile.ts';

/** Most lots that a merge moves: they are written by one batch, which others wait for. */
export const MAX_LOTS = 5_000;

/** The two members of a merge, whose rows are locked. */
export interface MergedMembers {
  source: MemberRecord;
  target: MemberRecord;
  state: State;
  now: Date;
}

/** What a merge moves in one program. */
export interface MergedProfile {
  programId: string;
  /** Available and pending points. */
  points: number;
  lots: number;
  parts: DecisionPart[];
  /** What an unmerge needs of it. */
  undo: ProgramUndo;
}

/**
 * Merges the source's profile in one program into the target's. Both are settled first; then every lot moves with its
 * dates and its origin, and the target's standing and history are those of both together. The source's profile is left
 * without points and unenrolled. Refusals: `reservation_open`, `enrollment_required`, `balance_limit_exceeded`,
 * `merge_blocked`.
 */
export function mergeProfiles(
  members: MergedMembers,
  profile: ProfileRecord,
):
  | MergedProfile
  | Refusal<'balance_limit_exceeded' | 'enrollment_required' | 'merge_blocked' | 'reservation_open'> {
  const { source, target, state, now } = members;
  const { programId } = profile;
  const document = documentOf(state, programId, now);
  const giver = settledBook(profile, source, state, now);
  const existing = state.profile(programId, target.externalCustomerId);
  const createdProfile = existing
    ? null
    : { ...newProfile(target, programId, standingOf(profile), null, now), ...enrollmentOf(profile) };
  const receiver = createdProfile
    ? { book: new Book(createdProfile, state, now), settled: giver.settled }
    : settledBook(existing as ProfileRecord, target, state, now, giver.settled);
  const refusal = refuseProfiles(giver.book.profile, receiver.book.profile);
  if (refusal) return refusal;
  const lots = lotsOf(giver.book, source, state);
  if (lots.length > MAX_LOTS) {
    return refuse(
      'merge_blocked',
      `The source has ${lots.length} lots in ${programId}: a merge moves ${MAX_LOTS} at most.`,
    );
  }
  const [sourceProfile, before] = [giver.book.profile, receiver.book.profile];
  const ids = lots.map(({ id }) => id);
  const points = transfer('member.merged', giver.book, receiver.book, ids, source);
  const standing = joinedStanding(document, before, sourceProfile, now);
  receiver.book.setProfile({
    ...(createdProfile ? standingOf(profile) : standing),
    ...historyOf(before, sourceProfile),
  });
  giver.book.setProfile(emptied(giver.book.profile, now));
  const grantee = { member: target, programId, now, newId: () => state.newId() };
  const reached = createdProfile ? [] : grantsForTier(document, before.tier, standing.tier, grantee);
  return {
    programId,
    points,
    lots: lots.length,
    undo: {
      source: sourceProfile,
      target: createdProfile ? null : before,
      left: receiver.book.profile,
      lots: ids.map((id) => movedLot(receiver.book, id)),
    },
    parts: [
      ...(createdProfile ? [{ inserts: { profiles: [createdProfile] } }] : []),
      ...bookedParts(giver.book, noHoldChanges),
      ...bookedParts(receiver.book, receiver.settled),
      ...(createdProfile ? [] : [tierChange(before, standing)]),
      grantChoices(reached),
    ],
  };
}

/** The document of a program that is in effect. */
export function documentOf(state: State, programId: string, now: Date): ProgramDocument {
  const program = state.program(programId);
  const version = program && versionAt(program, now);
  if (!version) throw new Error(`no version of ${programId} is in effect, and yet it has profiles`);
  return version.document;
}

/** The book of a profile, settled. @param before what was settled in the same program before */
export function settledBook(
  profile: ProfileRecord,
  { externalCustomerId }: MemberRecord,
  state: State,
  now: Date,
  before: HoldChanges = noHoldChanges,
) {
  const book = new Book(profile, state, now);
  const loaded = state.loadedPoints(profile.programId, externalCustomerId);
  return { book, settled: settle(book, loaded, state, before) };
}

/** The standing among the columns of a profile. */
export function standingOf({
  tier,
  qualificationPoints,
  qualificationSince,
  qualificationDays,
  requalifyAt,
}: Standing): Standing {
  return { tier, qualificationPoints, qualificationSince, qualificationDays, requalifyAt };
}

/** Whether, and since when, the source was enrolled: a target without a profile in the program takes it over. */
function enrollmentOf({ enrolled, enrolledAt, unenrolledAt }: ProfileRecord) {
  return { enrolled, enrolledAt, unenrolledAt };
}

/** @param source @param target their profiles, settled */
function refuseProfiles(
  source: ProfileRecord,
  target: ProfileRecord,
): Refusal<'balance_limit_exceeded' | 'enrollment_required' | 'reservation_open'> | null {
  const { programId, available, pending, reserved } = source;
  if (reserved > 0) {
    return refuse(
      'reservation_open',
      `${reserved} points of the source are reserved in ${programId}: release or commit them first.`,
    );
  }
  if (available + pending > 0 && !target.enrolled) {
    return refuse(
      'enrollment_required',
      `The target has left ${programId}, and the source has points there: the target has to enroll again first.`,
    );
  }
  if (wouldOverflow(target, available + pending)) {
    return refuse('balance_limit_exceeded', 'The balance would exceed 2^53-1 points.');
  }
  return refuseAmountOverflow(target, source.purchaseAmountMinor);
}

/**
 * The lots that move, oldest first: those with points, and those that a return claims or a reversed credit has changed.
 */
function lotsOf(book: Book, { externalCustomerId }: MemberRecord, state: State): LotRecord[] {
  return state
    .loadedPoints(book.profile.programId, externalCustomerId)
    .lots.map(({ id }) => book.lot(id))
    .filter(({ available, pending, claimed, lent }) => available + pending + claimed > 0 || lent !== 0)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** A lot as it is after it was moved. @param from id of the lot that it was */
function movedLot(receiver: Book, from: string): LotUndo {
  const { id, available, pending, claimed, lent } = receiver.lot(from);
  return { from, to: id, points: available + pending, claimed, lent };
}

/**
 * Posts the two transactions that move lots from one member to another one.
 * @param lotIds of the giver's lots
 * @param source the member that was, or is, merged
 * @returns the points that they move
 */
export function transfer(
  eventType: 'member.merged' | 'member.unmerged',
  giver: Book,
  receiver: Book,
  lotIds: readonly string[],
  source: MemberRecord,
): number {
  const [out, into] = [giver.open({ eventType }), receiver.open({ eventType })];
  for (const id of lotIds) transferLot({ book: giver, out }, { book: receiver, into }, id);
  if (out.points === 0) return 0;
  const { programId } = giver.profile;
  const receipt = { merge: { sourceMemberId: toTypeId('mem', source.id) } };
  for (const [book, entry] of [
    [giver, out],
    [receiver, into],
  ] as const) {
    const transaction = book.close(entry, receipt);
    book.audits.push({
      action: 'points.transferred',
      targetType: 'transaction',
      targetId: transactionId(transaction),
      changes: { programId, points: transaction.points },
    });
  }
  return out.points;
}

/** The history of two profiles together. The target keeps by whom it was referred, and its own referral code. */
function historyOf(target: ProfileRecord, source: ProfileRecord) {
  return {
    purchaseCount: target.purchaseCount + source.purchaseCount,
    purchaseAmountMinor: target.purchaseAmountMinor + source.purchaseAmountMinor,
    firstPurchaseAt: earlier(target.firstPurchaseAt, source.firstPurchaseAt),
    lastPurchaseAt: later(target.lastPurchaseAt, source.lastPurchaseAt),
    lastActivityAt: later(target.lastActivityAt, source.lastActivityAt),
    referralCount: target.referralCount + source.referralCount,
  } satisfies Partial<ProfileRecord>;
}

/** What is left of the source's profile: its tier, its referral code and who referred it. */
function emptied({ unenrolledAt, qualificationDays }: ProfileRecord, now: Date) {
  return {
    enrolled: false,
    unenrolledAt: unenrolledAt ?? now,
    nextDueAt: null,
    qualificationPoints: 0,
    qualificationDays: qualificationDays && {},
    requalifyAt: null,
    purchaseCount: 0,
    purchaseAmountMinor: 0,
    firstPurchaseAt: null,
    lastPurchaseAt: null,
    referralCount: 0,
  } satisfies Partial<ProfileRecord>;
}

function earlier(a: Date | null, b: Date | null): Date | null {
  return a && b ? (a < b ? a : b) : (a ?? b);
}

export function later(a: Date | null, b: Date | null): Date | null {
  return a && b ? (a > b ? a : b) : (a ?? b);
}
