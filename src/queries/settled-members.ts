import type { PoolClient, QueryResultRow } from 'pg';
import type { Connections } from '../db/pool.ts';
import { newUuid } from '../ids.ts';
import { Book } from '../ledger/book.ts';
import { loadHoldings, type Run } from '../ledger/load-holdings.ts';
import { loadOpenReservations } from '../ledger/load-points.ts';
import { loadEnvironment } from '../ledger/load-statements.ts';
import type { ProfileRecord } from '../ledger/records.ts';
import { type ReservationRow, reservationOf } from '../ledger/redemption-rows.ts';
import { type EnvironmentRow, environmentOf } from '../ledger/rows.ts';
import { expiryOf, settle } from '../ledger/settle.ts';
import type { Statement } from '../ledger/table.ts';
import { WorkingSet } from '../ledger/working-set.ts';
import { findMembers, type MemberProfileRow, memberViews } from './find-members.ts';
import type { MemberView, NextExpiry, ProfileView } from './member-view.ts';

/** More than any profile holds: every open lot is loaded, for one of them lapses next. */
const ALL_POINTS = Number.MAX_SAFE_INTEGER;

/**
 * Reads members to whose points something has happened that is not posted yet, and works out what the writer would
 * post now, in one snapshot, without locks and without writing: pending points that have become available, holds that
 * are over, lots that have lapsed.
 * @returns by externalCustomerId
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
    // Whatever state the connection is in, nobody else is to have it.
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
  const working = new WorkingSet(environmentOf(environment), new Map(), newUuid);
  const members = [...views.values()];
  const due = members.flatMap(({ member, profiles }) =>
    profiles
      .filter(({ nextDueAt }) => nextDueAt !== null && nextDueAt <= environment.now)
      .map(({ memberId, programId }) => ({
        memberId,
        programId,
        points: ALL_POINTS,
        externalCustomerId: member.externalCustomerId,
      })),
  );
  for (const { member } of members) working.members.load(member);
  for (const profile of due) working.admit({ kind: 'points', ...profile });
  for (const row of await run<ReservationRow>(loadOpenReservations(environmentId, due))) {
    working.reservations.load(reservationOf(row));
  }
  const held = working.reservations.filter(() => true);
  const transactionIds = held.map(({ reserveTransactionId }) => reserveTransactionId);
  // What a hold gives back to its reward's stock is nobody's balance.
  await loadHoldings(run, working, { transactionIds, spendings: due, rewards: [], counters: [] });
  const isDue = new Set(due.map(({ memberId, programId }) => `${memberId} ${programId}`));
  return new Map(
    members.map(({ member, profiles }) => {
      const settled = profiles.map((profile) =>
        isDue.has(`${profile.memberId} ${profile.programId}`)
          ? settledProfile(profile, member.externalCustomerId, working, environment.now)
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
  const holding = working.holding(profile.programId, externalCustomerId);
  settle(book, holding, working);
  return {
    ...book.profile,
    nextExpiry: nextExpiryOf(
      holding.lots.map(({ id }) => book.lot(id)),
      book.profile,
    ),
  };
}

/** What of open lots lapses first: all that lapses at that same instant. */
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
