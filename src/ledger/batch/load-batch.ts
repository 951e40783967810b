import type { ClientBase, QueryResultRow } from 'pg';
import { noteDatabaseTime } from '../../database-clock.ts';
import type { Statement } from '../../db/statement.ts';
import type { ProgramCatalog } from '../../programs/published/program-catalog.ts';
import type { Command, Subject } from '../command.ts';
import type { AnyLookUpKey } from '../tables/all-tables.ts';
import {
  type EnvironmentRow,
  enterEnvironment,
  enterEnvironmentAlone,
  loadEnvironment,
  type MovableClock,
  readClock,
  realTime,
} from '../tables/environments.ts';
import { findErasedReferences, isReferenceKind, referenceHash } from '../tables/erased-references.ts';
import { lockClosedDays, readNewest } from './load-clock.ts';
import {
  admitTargets,
  claimsOf,
  fetchesFor,
  keysOf,
  keysOfSubjects,
  laterSubjects,
  needsOf,
  openReservationsOf,
  subjectsOf,
  withPrerequisites,
} from './load-plan.ts';
import { subjectKey } from './subject-key.ts';
import { WorkingSet } from './working-set.ts';

/** A batch whose rows are locked and loaded. */
export interface LoadedBatch {
  working: WorkingSet;
  /** The database's time, read after the last lock was taken. */
  now: Date;
}

/** Runs a statement on the connection of the batch and returns its rows. */
type Run = <R extends QueryResultRow>(statement: Statement) => Promise<R[]>;

/** Puts the rows of a round into a working set. */
type Fill = (working: WorkingSet) => void;

/**
 * Locks and loads every subject of a batch inside the open transaction of `client`. There is one statement for each
 * look-up. The statements always come in the same order and lock their rows in sorted order, so that processes cannot
 * deadlock. The statements of a round are sent together and run one after the other. Each sees what was committed when
 * it starts (READ COMMITTED). There are at most four rounds: the subjects and idempotency keys; the points of profiles
 * that have something due, and the open reservations of those to be settled; the rows that the rows found so far lead
 * to (`needsOf`); and the orders that have a claim on a lot, which is seldom (`claimsOf`). Purchases need only the
 * first round, unless something is due, their campaigns or coupons have shared counters, or a code may be one of a
 * pool. So do holds of points and what ends them, unless a profile has pending points or other holds, or a reward a
 * limited stock.
 * @returns null where a program was published, or a reference erased, that the catalog does not know of yet: it has to
 *   be refreshed, after the transaction has ended. Also where a member was merged into another one while the batch
 *   waited for its locks: the next try finds the other one
 * @throws where the environment does not exist
 */
export async function loadBatch(
  client: ClientBase,
  environmentId: string,
  commands: readonly Command[],
  catalog: ProgramCatalog,
  newId: () => string,
): Promise<LoadedBatch | null> {
  const all = withPrerequisites(commands);
  const subjects = subjectsOf(all);
  const asked = [...keysOfSubjects(subjects), ...keysOf(all)];
  const secret = catalog.referenceSecretOf(environmentId);
  const run: Run = async <R extends QueryResultRow>(statement: Statement) =>
    (await client.query<R>(statement)).rows;
  const movesClock = commands.some((command) => command.movesClock);
  const runsAlone = commands.some((command) => command.runsAlone);
  const [, clock, fill, erased, [environment]] = await awaitAll([
    run((runsAlone ? enterEnvironmentAlone : enterEnvironment)(environmentId)),
    movesClock ? loadClock(run, environmentId) : null,
    loadRound(run, environmentId, asked),
    findErased(run, environmentId, secret, asked),
    run<EnvironmentRow>(loadEnvironment(environmentId)),
  ]);
  if (!environment) throw new Error(`no environment ${environmentId}: a credential outlived it`);
  const { now, ...record } = environment;
  noteDatabaseTime(realTime(record, now));
  const programs = catalog.programsAt(environmentId, environment.revision);
  // Another batch may have refreshed the catalog after this one had sent its look-ups.
  if (!programs || catalog.referenceSecretOf(environmentId) !== secret) return null;
  const working = new WorkingSet(record, programs, newId, {
    erased,
    clock,
    couponSecret: catalog.couponSecretOf(environmentId),
  });
  for (const subject of subjects) working.admit(subject);
  fill(working);
  if (hasMergedMeanwhile(working)) return null;
  const due = laterSubjects(working, subjects, now);
  for (const subject of due) working.admit(subject);
  const allSubjects = [...subjects, ...due];
  admitTargets(working, allSubjects);
  (
    await loadRound(run, environmentId, [...keysOfSubjects(due), ...openReservationsOf(working, allSubjects)])
  )(working);
  const needs = needsOf(working, allSubjects, now);
  const [fillNeeds, later] = await awaitAll([
    loadRound(run, environmentId, needs),
    // Reads the time again where this round has locks, after them.
    locksFor(needs) ? run<EnvironmentRow>(loadEnvironment(environmentId)) : null,
  ]);
  fillNeeds(working);
  (await loadRound(run, environmentId, claimsOf(working)))(working);
  return { working, now: later?.[0]?.now ?? now };
}

/** Whether a round locks rows. */
function locksFor(keys: readonly AnyLookUpKey[]): boolean {
  return fetchesFor(keys).some(({ lookUp }) => lookUp.locks);
}

/** Reads the clock that a command moves. */
async function loadClock(run: Run, environmentId: string): Promise<MovableClock | null> {
  const [, [newest], [clock]] = await awaitAll([
    run(lockClosedDays(environmentId)),
    run<Pick<MovableClock, 'newestAt'>>(readNewest(environmentId)),
    run<Omit<MovableClock, 'newestAt'>>(readClock(environmentId)),
  ]);
  return clock && newest ? { ...clock, ...newest } : null;
}

/**
 * Whether a member was merged into another one while the batch waited for its locks: then rows of both members may have
 * been loaded, and the batch has to load again.
 */
function hasMergedMeanwhile({ rows: { members, profiles } }: WorkingSet): boolean {
  const asked = members.filter(({ externalCustomerId }) => !members.isMergedName(externalCustomerId));
  if (asked.some(({ mergedInto }) => mergedInto !== null)) return true;
  const ids = new Set(asked.map(({ id }) => id));
  return profiles.filter(({ memberId }) => !ids.has(memberId)).length > 0;
}

/**
 * Sends the look-ups of a round together.
 * @returns a function that puts the found rows into a working set
 */
async function loadRound(
  run: Run,
  environmentId: string,
  keys: readonly (AnyLookUpKey | Subject)[],
): Promise<Fill> {
  const fetches = fetchesFor(keys);
  const results = await Promise.all(
    fetches.map((fetch) => run(fetch.lookUp.statement(environmentId, fetch.keys))),
  );
  return (working) => {
    fetches.forEach((fetch, index) => {
      working.fill(fetch, results[index] ?? []);
    });
  };
}

/**
 * Looks for references that erasures have renamed, where the environment has any: other batches send no statement for
 * it.
 * @returns the names (`referenceName`) among the given ones
 */
async function findErased(
  run: Run,
  environmentId: string,
  secret: string | null,
  keys: readonly (AnyLookUpKey | Subject)[],
): Promise<ReadonlySet<string>> {
  if (secret === null) return new Set();
  const names = keys.filter(({ kind }) => isReferenceKind(kind)).map(subjectKey);
  const nameOf = new Map(names.map((name) => [referenceHash(secret, name).toString('hex'), name]));
  const hashes = [...nameOf.keys()].map((hash) => Buffer.from(hash, 'hex'));
  const rows = await run<{ hash: Buffer }>(findErasedReferences(environmentId, hashes));
  return new Set(rows.flatMap(({ hash }) => nameOf.get(hash.toString('hex')) ?? []));
}

/**
 * Waits until every statement has succeeded or failed.
 * @throws the first failure in the order of sending: the later ones fail only because the transaction was aborted
 */
async function awaitAll<T extends readonly (Promise<unknown> | null)[]>(
  promises: readonly [...T],
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const results: PromiseSettledResult<unknown>[] = await Promise.allSettled(promises);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return Promise.all(promises);
}
