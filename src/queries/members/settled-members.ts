import type { PoolClient, QueryResultRow } from 'pg';
import type { Connections } from '../../db/pool.ts';
import type { Statement } from '../../db/statement.ts';
import { newUuid } from '../../ids.ts';
import { loadRound, type Run } from '../../ledger/batch/load-batch.ts';
import { WorkingSet } from '../../ledger/batch/working-set.ts';
import { Book } from '../../ledger/books/book.ts';
import { expiryOf, settle } from '../../ledger/books/settle.ts';
import { type EnvironmentRow, loadEnvironment } from '../../ledger/tables/environments.ts';
import type { ProfileRecord } from '../../ledger/tables/program-profiles.ts';
import type { MemberView, NextExpiry, ProfileView } from '../shared/member-view.ts';
import { findMembers, type MemberProfileRow, memberViews } from './find-members.ts';

/** More points than any profile has, so that every open lot is loaded: the next one to lapse may be any of them. */
const ALL_POINTS = Number.MAX_SAFE_INTEGER;

/**
 * Reads members in whose profiles something is due that is not posted yet, and computes what the writer would post now:
 * pending points that have become available, holds that have expired, lots that have lapsed. It reads one snapshot,
 * takes no locks and writes nothing.
 * @returns the members by externalCustomerId
 */
export async function readSettledMembers(
  connections: Connections,
  environmentId: string,
  externalCustomerIds: readonly string[],
): Promise<Map<string, MemberView>> {
  const client = await connections.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const views = await settledViews(client, environmentId, externalCustomerIds);
    await client.query('commit');
    client.release();
    return views;
  } catch (error) {
    // The state of the connection is unknown, so it is closed and not used again.
    client.release(true);
    throw error;
  }
}

async function settledViews(
  client: PoolClient,
  environmentId: string,
  externalCustomerIds: readonly string[],
): Promise<Map<string, MemberView>> {
  const run: Run = async <R extends QueryResultRow>(statement: Statement) =>
    (await client.query<R>(statement)).rows;
  const [environment] = await run<EnvironmentRow>(loadEnvironment(environmentId));
  if (!environment) throw new Error(`no environment ${environmentId}: a credential outlived it`);
  const views = memberViews(await run<MemberProfileRow>(findMembers(environmentId, externalCustomerIds)));
  const { now, ...record } = environment;
  const working = new WorkingSet(record, new Map(), newUuid);
  const members = [...views.values()];
  const due = members.flatMap(({ member: { externalCustomerId }, profiles }) =>
    profiles
      .filter(({ nextDueAt }) => nextDueAt !== null && nextDueAt <= now)
      .map(({ memberId, programId }) => ({ memberId, programId, points: ALL_POINTS, externalCustomerId })),
  );
  for (const { member } of members) working.rows.members.load(member);
  const points = due.map((profile) => ({ kind: 'points', ...profile }) as const);
  for (const profile of points) working.admit(profile);
  (await loadRound(run, environmentId, points))(working);
  const holds = working.rows.reservations.filter(() => true);
  // Stocks are not loaded: what a hold gives back to its reward's stock changes no balance.
  const needs = [
    ...holds.map((row) => ({ kind: 'transaction', transactionId: row.reserveTransactionId }) as const),
    ...due.map((profile) => ({ kind: 'spending', ...profile }) as const),
  ];
  (await loadRound(run, environmentId, needs))(working);
  const isDue = new Set(due.map(({ memberId, programId }) => `${memberId} ${programId}`));
  return new Map(
    members.map(({ member, profiles }) => {
      const settled = profiles.map((profile) =>
        isDue.has(`${profile.memberId} ${profile.programId}`)
          ? settledProfile(profile, member.externalCustomerId, working, now)
          : profile,
      );
      return [member.externalCustomerId, { member, profiles: settled }];
    }),
  );
}

function settledProfile(
  before: ProfileView,
  externalCustomerId: string,
  working: WorkingSet,
  now: Date,
): ProfileView {
  const { nextExpiry: _stale, ...profile } = before;
  const book = new Book(profile, working, now);
  const loaded = working.loadedPoints(profile.programId, externalCustomerId);
  settle(book, loaded, working);
  return {
    ...book.profile,
    nextExpiry: nextExpiryOf(
      loaded.lots.map(({ id }) => book.lot(id)),
      book.profile,
    ),
  };
}

/**
 * The next expiry of the lots: the earliest instant at which available points lapse, and the sum of all that lapse
 * then.
 */
function nextExpiryOf(
  lots: readonly ReturnType<Book['lot']>[],
  profile: Pick<ProfileRecord, 'lastActivityAt'>,
): NextExpiry | null {
  let next: NextExpiry | null = null;
  for (const lot of lots) {
    const at = lot.available > 0 ? expiryOf(lot, profile) : null;
    if (at === null) continue;
    if (next === null || at < next.at) next = { points: lot.available, at };
    else if (at.getTime() === next.at.getTime()) next.points += lot.available;
  }
  return next;
}
