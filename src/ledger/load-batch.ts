import type { ClientBase, QueryResultRow } from 'pg';
import { arrayLiteral } from '../db/array-literal.ts';
import type { ProgramCatalog } from '../programs/program-catalog.ts';
import type { Command, Subject } from './command.ts';
import * as sql from './load-statements.ts';
import {
  type EnvironmentRow,
  environmentOf,
  type IdempotencyRow,
  idempotencyOf,
  type LimitCounterRow,
  limitCounterOf,
  type MemberRow,
  memberOf,
  type OrderRow,
  orderOf,
  type ProfileRow,
  profileOf,
} from './rows.ts';
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
 * one after the other, each on what was committed when it starts (READ COMMITTED).
 */
export async function loadBatch(
  client: ClientBase,
  environmentId: string,
  commands: readonly Command[],
  catalog: ProgramCatalog,
  newId: () => string,
): Promise<LoadedBatch> {
  const subjects = new Map<string, Subject>();
  for (const command of commands) {
    for (const subject of command.subjects) subjects.set(loadKey(subject), subject);
  }
  const wanted = groupByKind(subjects.values());
  const run = async <R extends QueryResultRow>(statement: Statement | null): Promise<R[]> =>
    statement ? (await client.query<R>(statement)).rows : [];

  const [, members, profiles, orders, counters, idempotency, environments] = await Promise.all([
    run(sql.enterEnvironment(environmentId)),
    run<MemberRow>(wanted.members.length ? sql.loadMembers(environmentId, wanted.members) : null),
    run<ProfileRow>(wanted.profiles.length ? sql.lockProfiles(environmentId, wanted.profiles) : null),
    run<OrderRow>(wanted.orders.length ? sql.lockOrders(environmentId, wanted.orders) : null),
    run<LimitCounterRow>(
      wanted.limitCounters.length ? sql.loadLimitCounters(environmentId, wanted.limitCounters) : null,
    ),
    run<IdempotencyRow>(
      sql.loadIdempotency(
        environmentId,
        arrayLiteral(commands.map((command) => command.operation)),
        arrayLiteral(commands.map((command) => command.idempotencyKey)),
      ),
    ),
    run<EnvironmentRow>(sql.loadEnvironment(environmentId)),
  ]);

  const environment = environments[0];
  if (!environment) throw new Error(`no environment ${environmentId}: a credential outlived it`);
  const programs = await catalog.programsOf(client, environmentId, environment.revision);
  const working = new WorkingSet(environmentOf(environment), programs, newId);
  for (const subject of subjects.values()) working.admit(subject);
  for (const row of members) working.members.load(memberOf(row));
  for (const row of profiles) working.profiles.load(profileOf(row));
  for (const row of orders) working.orders.load(orderOf(row));
  for (const row of counters) working.limitCounters.load(limitCounterOf(row));
  for (const row of idempotency) working.idempotency.load(idempotencyOf(row));
  return { working, now: environment.now, hasWebhookEndpoints: environment.has_webhook_endpoints };
}

/** What tells one look-up from another: events of one member may need the counters of several periods. */
function loadKey(subject: Subject): string {
  const key = subjectKey(subject);
  return subject.kind === 'limitCounters' && subject.at ? keyOf(key, subject.at.toISOString()) : key;
}

interface Wanted {
  members: string[];
  profiles: sql.ProfileName[];
  limitCounters: (sql.ProfileName & { at: Date | null })[];
  orders: string[];
}

function groupByKind(subjects: Iterable<Subject>): Wanted {
  const members = new Set<string>();
  const wanted: Wanted = { members: [], profiles: [], limitCounters: [], orders: [] };
  for (const subject of subjects) {
    switch (subject.kind) {
      case 'member':
        members.add(subject.externalCustomerId);
        break;
      case 'profile':
        wanted.profiles.push(subject);
        break;
      case 'limitCounters':
        wanted.limitCounters.push(subject);
        break;
      case 'order':
        wanted.orders.push(subject.sourceReference);
        break;
    }
  }
  wanted.members = [...members];
  return wanted;
}
