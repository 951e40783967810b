import type { ClientBase, QueryResultRow } from 'pg';
import type { ProgramCatalog } from '../programs/program-catalog.ts';
import type { Command, Subject } from './command.ts';
import * as engaged from './engagement-rows.ts';
import * as engagement from './load-engagement.ts';
import { type HoldingNeeds, loadHoldings, type Run } from './load-holdings.ts';
import * as points from './load-points.ts';
import * as sql from './load-statements.ts';
import * as redemption from './redemption-rows.ts';
import * as rows from './rows.ts';
import type { Statement } from './table.ts';
import { keyOf, subjectKey, WorkingSet } from './working-set.ts';

/** A batch with its rows locked, and the database's time after the locks. */
export interface LoadedBatch {
  working: WorkingSet;
  now: Date;
  /** Whether anyone could be listening: where nobody is, no delivery is written. */
  hasWebhookEndpoints: boolean;
}

/**
 * Locks and loads every subject of a batch inside the open transaction of `client`: one statement a table, always in
 * the same order, rows in sorted order, so that processes cannot deadlock. The statements are sent together and run
 * one after the other, each on what was committed when it starts (READ COMMITTED). A batch that does more than earn
 * takes a second round, for what the rows of the first one name.
 */
export async function loadBatch(
  client: ClientBase,
  environmentId: string,
  commands: readonly Command[],
  catalog: ProgramCatalog,
  newId: () => string,
): Promise<LoadedBatch> {
  const subjects = new Map<string, Subject>();
  for (const command of commands) for (const subject of command.subjects) want(subjects, subject);
  const wanted = groupByKind(subjects.values());
  const run: Run = async <R extends QueryResultRow>(statement: Statement) =>
    (await client.query<R>(statement)).rows;
  const loadEnvironment = (): Promise<rows.EnvironmentRow[]> => run(sql.loadEnvironment(environmentId));

  const entered = run(sql.enterEnvironment(environmentId));
  const first = loadFirst(run, environmentId, wanted, commands);
  const [fillers, environments] = await Promise.all([first, loadEnvironment(), entered]);
  const environment = environments[0];
  if (!environment) throw new Error(`no environment ${environmentId}: a credential outlived it`);
  const programs = await catalog.programsOf(client, environmentId, environment.revision);
  const working = new WorkingSet(rows.environmentOf(environment), programs, newId);
  for (const subject of subjects.values()) working.admit(subject);
  for (const fill of fillers) fill(working);
  await loadDue(run, working, wanted, environment.now);
  const counters = countersOf(wanted, working);
  if (!needsMore(wanted, counters)) {
    return { working, now: environment.now, hasWebhookEndpoints: environment.has_webhook_endpoints };
  }
  const [, [later]] = await Promise.all([
    loadHoldings(run, working, { ...holdingNeeds(working, wanted), counters }),
    // The time once more, after the locks on the stocks.
    loadEnvironment(),
  ]);
  return {
    working,
    now: (later ?? environment).now,
    hasWebhookEndpoints: environment.has_webhook_endpoints,
  };
}

/** Puts the rows of one statement into a working set. */
type Fill = (working: WorkingSet) => void;

/** What can be loaded by what the commands name. @returns what fills the working set, in any order */
function loadFirst(
  run: Run,
  environmentId: string,
  wanted: Wanted,
  commands: readonly Command[],
): Promise<Fill[]> {
  const loading: Promise<Fill>[] = [];
  const load = <N, R extends QueryResultRow>(
    names: readonly N[],
    statement: (environmentId: string, names: readonly N[]) => Statement,
    fill: (working: WorkingSet, row: R) => void,
  ): void => {
    if (names.length === 0) return;
    loading.push(
      run<R>(statement(environmentId, names)).then((found) => (working) => {
        for (const row of found) fill(working, row);
      }),
    );
  };
  load(wanted.members, sql.loadMembers, (set, row: rows.MemberRow) => set.members.load(rows.memberOf(row)));
  load([...wanted.profiles, ...wanted.allProfiles], sql.lockProfiles, (set, row: rows.ProfileRow) =>
    set.profiles.load(rows.profileOf(row)),
  );
  load(wanted.orders, sql.loadOrders, (set, row: rows.OrderRow) => set.orders.load(rows.orderOf(row)));
  load(wanted.returns, points.loadReturns, (set, row: redemption.ReturnRow & { receipt: object }) =>
    set.returns.load({ record: redemption.returnOf(row), receipt: row.receipt }),
  );
  const fillQuote = (set: WorkingSet, row: redemption.QuoteRow): void =>
    set.quotes.load(redemption.quoteOf(row));
  load(wanted.quotes, points.loadQuotes, fillQuote);
  load(wanted.openQuotes, points.loadOpenQuotes, fillQuote);
  const fillReservation = (set: WorkingSet, row: redemption.ReservationRow): void =>
    set.reservations.load(redemption.reservationOf(row));
  load(wanted.reservations, points.loadReservations, fillReservation);
  load(wanted.points, points.loadOpenReservations, fillReservation);
  load(wanted.adjustments, points.loadAdjustments, (set, row: redemption.AdjustmentRow) =>
    set.adjustments.load(redemption.adjustmentOf(row)),
  );
  load(wanted.disputes, points.loadDisputes, (set, row: redemption.DisputeRow) =>
    set.disputes.load(redemption.disputeOf(row)),
  );
  load(wanted.customEvents, engagement.loadCustomEvents, (set, row: engaged.CustomEventRow) =>
    set.customEvents.load(engaged.customEventOf(row)),
  );
  load(wanted.challengeProgress, engagement.loadChallengeProgress, (set, row: engaged.ChallengeProgressRow) =>
    set.challengeProgressRows.load(engaged.challengeProgressOf(row)),
  );
  const fillClaim = (set: WorkingSet, row: engaged.ChoiceClaimRow): void =>
    set.claims.load(engaged.choiceClaimOf(row));
  load(wanted.choiceGrants, engagement.loadChoiceGrants, (set, row: engaged.ChoiceGrantRow) =>
    set.grants.load(engaged.choiceGrantOf(row)),
  );
  load(wanted.choiceGrants, engagement.loadClaimsOfGrants, fillClaim);
  load(wanted.choiceClaims, engagement.loadChoiceClaims, fillClaim);
  load(wanted.limitCounters, sql.loadLimitCounters, (set, row: rows.LimitCounterRow) =>
    set.limitCounters.load(rows.limitCounterOf(row)),
  );
  const keys = commands.flatMap(({ operation, idempotencyKey }) =>
    idempotencyKey === null ? [] : [{ operation, key: idempotencyKey }],
  );
  load(keys, sql.loadIdempotency, (set, row: rows.IdempotencyRow) =>
    set.idempotency.load(rows.idempotencyOf(row)),
  );
  return Promise.all(loading);
}

/** Of the profiles that are wanted where something is due: those of which something is become wanted as a whole. */
async function loadDue(run: Run, working: WorkingSet, wanted: Wanted, now: Date): Promise<void> {
  const ofMembers = wanted.allProfiles.flatMap(({ externalCustomerId }) =>
    working.profilesOf(externalCustomerId).map(({ programId }) => ({ programId, externalCustomerId })),
  );
  const due = [...wanted.due, ...ofMembers].filter(({ programId, externalCustomerId }) => {
    const dueAt = working.profile(programId, externalCustomerId)?.nextDueAt;
    return dueAt && dueAt <= now;
  });
  if (due.length === 0) return;
  const found = await run<redemption.ReservationRow>(
    points.loadOpenReservations(working.environment.id, due),
  );
  for (const row of found) working.reservations.load(redemption.reservationOf(row));
  for (const { programId, externalCustomerId } of due) {
    const subject = { kind: 'points', programId, externalCustomerId, points: 0 } as const;
    working.admit(subject);
    wanted.points.push(subject);
  }
}

/** Whether there is something to load that only the rows of the first round name. */
function needsMore(wanted: Wanted, sharedCounters: readonly unknown[]): boolean {
  return [
    wanted.orderLots,
    wanted.reservations,
    wanted.adjustments,
    wanted.points,
    wanted.stocks,
    sharedCounters,
  ].some((names) => names.length > 0);
}

/** The shared counters that the programs call for, now that they are known. */
function countersOf(wanted: Wanted, working: WorkingSet): HoldingNeeds['counters'] {
  const counters = new Map<string, HoldingNeeds['counters'][number]>();
  for (const { programId, wanted: idsOf } of wanted.sharedCounters) {
    const one = programId === null ? null : working.program(programId);
    const programs = programId === null ? working.programs() : one ? [one] : [];
    for (const program of programs) {
      for (const counterId of idsOf(program)) {
        counters.set(keyOf(program.programId, counterId), { programId: program.programId, counterId });
      }
    }
  }
  return [...counters.values()];
}

function holdingNeeds(working: WorkingSet, wanted: Wanted): Omit<HoldingNeeds, 'counters'> {
  const transactionIds = new Set<string>();
  const rewards = new Map<string, HoldingNeeds['rewards'][number]>();
  for (const reward of wanted.stocks) rewards.set(keyOf(reward.programId, reward.rewardId), reward);
  for (const sourceReference of wanted.orderLots) {
    const order = working.orders.get(sourceReference);
    if (order) transactionIds.add(order.transactionId);
  }
  for (const { reserveTransactionId, programId, rewardId } of working.reservations.filter(() => true)) {
    transactionIds.add(reserveTransactionId);
    rewards.set(keyOf(programId, rewardId), { programId, rewardId });
  }
  for (const { transactionId } of working.adjustments.filter(() => true)) {
    if (transactionId) transactionIds.add(transactionId);
  }
  const spendings = wanted.points.flatMap(({ programId, externalCustomerId, points: spent }) => {
    const memberId = working.members.get(externalCustomerId)?.id;
    return memberId === undefined ? [] : [{ memberId, programId, points: spent }];
  });
  return { transactionIds: [...transactionIds], spendings, rewards: [...rewards.values()] };
}

/** Adds a subject to those of the batch. Commands that spend of one profile need what they need together. */
function want(subjects: Map<string, Subject>, subject: Subject): void {
  const key = loadKey(subject);
  const known = subjects.get(key);
  if (subject.kind === 'points' && known?.kind === 'points') {
    subjects.set(key, { ...known, points: known.points + subject.points });
  } else if (subject.kind === 'sharedCounters') {
    // Each command may want others of them.
    subjects.set(`${key} ${subjects.size}`, subject);
  } else if (!known) subjects.set(key, subject);
}

/** What tells one look-up from another: events of one member may need the counters of several periods. */
function loadKey(subject: Subject): string {
  const key = subjectKey(subject);
  return subject.kind === 'limitCounters' && subject.at ? keyOf(key, subject.at.toISOString()) : key;
}

type OfKind<K extends Subject['kind']> = Extract<Subject, { kind: K }>;

interface Wanted {
  members: string[];
  profiles: OfKind<'profile'>[];
  limitCounters: OfKind<'limitCounters'>[];
  orders: string[];
  orderLots: string[];
  returns: string[];
  quotes: string[];
  openQuotes: OfKind<'openQuotes'>[];
  reservations: string[];
  adjustments: string[];
  disputes: string[];
  stocks: OfKind<'stock'>[];
  sharedCounters: OfKind<'sharedCounters'>[];
  /** Members whose every profile is wanted. */
  allProfiles: { programId: null; externalCustomerId: string }[];
  customEvents: string[];
  challengeProgress: string[];
  choiceGrants: string[];
  choiceClaims: string[];
  points: OfKind<'points'>[];
  due: OfKind<'due'>[];
}

function groupByKind(subjects: Iterable<Subject>): Wanted {
  const byKind = Map.groupBy(subjects, ({ kind }) => kind);
  const of = <K extends Subject['kind']>(kind: K): OfKind<K>[] => (byKind.get(kind) ?? []) as OfKind<K>[];
  return {
    members: of('member').map((subject) => subject.externalCustomerId),
    profiles: of('profile'),
    limitCounters: of('limitCounters'),
    orders: of('order').map((subject) => subject.sourceReference),
    orderLots: of('orderLots').map((subject) => subject.sourceReference),
    returns: of('return').map((subject) => subject.returnReference),
    quotes: of('quote').map((subject) => subject.id),
    openQuotes: of('openQuotes'),
    reservations: of('reservation').map((subject) => subject.id),
    adjustments: of('adjustment').map((subject) => subject.id),
    disputes: of('disputes').map((subject) => subject.reservationId),
    stocks: of('stock'),
    sharedCounters: of('sharedCounters'),
    allProfiles: of('profiles').map(({ externalCustomerId }) => ({ programId: null, externalCustomerId })),
    customEvents: of('customEvent').map((subject) => subject.sourceReference),
    challengeProgress: of('challengeProgress').map((subject) => subject.externalCustomerId),
    choiceGrants: of('choiceGrants').map((subject) => subject.externalCustomerId),
    choiceClaims: of('choiceClaim').map((subject) => subject.sourceReference),
    points: of('points'),
    due: of('due'),
  };
}
