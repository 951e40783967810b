import type { ClientBase } from 'pg';
import { readTime } from '../db/environment-time.ts';
import type { ProgramDocument } from '../programs/document/program-document.ts';
import { ProgramCatalog } from '../programs/published/program-catalog.ts';
import type { PublishedProgram } from '../programs/published/published-program.ts';
import { readOpenPoints } from './open-points.ts';
import { countHistory, readHistory } from './read-history.ts';
import { readMembers } from './read-members.ts';
import { makeReport, type SimulationReport } from './report.ts';
import { asPublished, type SimulationClock, whyNotComparable, withDraft } from './simulated-program.ts';
import { Simulation, type SimulationSettings } from './simulation.ts';

export interface SimulateOptions {
  /** UUID. */
  environmentId: string;
  /** A document that parseProgram has checked. */
  draft: ProgramDocument;
  /** The instant from which the draft is in effect and events count; null for the whole history. */
  from: Date | null;
  /** The end of the period: events from this instant on do not count; null for now. */
  to: Date | null;
  clock: SimulationClock;
  /** How many of the members who win most, and of those who lose most, the report names. */
  top: number;
  /**
   * Called before the first event, after every 500 events and at the end, with the number of events done and in all.
   */
  onProgress(done: number, total: number): void;
}

/** The draft cannot be compared with what is published. */
export class NotComparable extends Error {
  override name = 'NotComparable';
}

const REPORT_EVERY = 500;

/**
 * Runs the real events of a period under a draft, in one read-only snapshot of the database, so that nothing can be
 * written.
 * @param client a connection that nobody else uses during the call
 * @throws NotComparable where no version of the program is published, or the draft has another currency or precision of
 *   points
 */
export async function simulateProgram(
  client: ClientBase,
  options: SimulateOptions,
): Promise<SimulationReport> {
  await client.query('begin isolation level repeatable read read only');
  // The whole history is read, once. Right after an import the tables have no statistics. The planner would then choose
  // nested loops, which take minutes.
  await client.query('set local enable_nestloop = off');
  try {
    return await simulate(client, options);
  } finally {
    await client.query('rollback');
  }
}

async function simulate(client: ClientBase, options: SimulateOptions): Promise<SimulationReport> {
  const { environmentId, draft, from, clock, onProgress } = options;
  const published = await readPublished(client, environmentId, draft);
  const readAt = await readTime(client, environmentId);
  const to = options.to ?? readAt;
  const until = clock === 'receipt' && to < readAt ? to : readAt;
  const settings = { environmentId, clock, from, end: to };
  const simulation = new Simulation({ ...settings, program: withDraft(published, draft, from, clock) });
  const baseline = baselineOf(published, settings, simulation);
  const columns = baseline ? [baseline, simulation] : [simulation];
  for await (const member of readMembers(client, environmentId, draft.id)) {
    for (const column of columns) column.addMember(member);
  }

  const eventTypes = typesOf([...published.versions.map(({ document }) => document), draft]);
  const history = { environmentId, programId: draft.id, clock, until, eventTypes };
  const total = await countHistory(client, history);
  onProgress(0, total);
  let done = 0;
  for await (const event of readHistory(client, history)) {
    if (event.at >= to) break;
    for (const column of columns) column.take(event);
    done += 1;
    if (done % REPORT_EVERY === 0) onProgress(done, total);
  }
  onProgress(total, total);
  const period = { environmentId, programId: draft.id, clock, from, to };
  const recorded = await readOpenPoints(client, period, to);
  const open = { ...recorded, ...baseline?.remaining() };
  return makeReport({ ...options, to, published, simulation, open }, (ids) =>
    namesOf(client, environmentId, ids),
  );
}

/**
 * A simulation of the published versions, where a draft cannot be compared with the records: on the events' clock,
 * because the recorded awards are dated by the receipt; and under an inactivity policy, because the records do not show
 * when points that were returned or redeemed would have expired. Null where the records are enough.
 */
function baselineOf(
  published: PublishedProgram,
  settings: Omit<SimulationSettings, 'program'>,
  { tally }: Simulation,
): Simulation | null {
  const { clock } = settings;
  const program = asPublished(published, clock);
  if (clock === 'event') return new Simulation({ ...settings, program, side: 'now', tally });
  const idling = published.versions.some(({ document }) => document.expiration?.policy === 'inactivity');
  return idling ? new Simulation({ ...settings, program, side: 'now' }) : null;
}

/** The types of engagement events that any of the documents defines. */
function typesOf(documents: readonly ProgramDocument[]): string[] {
  const defined = documents.flatMap(({ eventDefinitions = [] }) => eventDefinitions.map(({ type }) => type));
  return [...new Set(defined)];
}

async function readPublished(
  client: ClientBase,
  environmentId: string,
  draft: ProgramDocument,
): Promise<PublishedProgram> {
  const programs = await new ProgramCatalog().refresh(client, environmentId);
  const published = programs.get(draft.id) ?? { programId: draft.id, versions: [] };
  const objection = whyNotComparable(published, draft);
  if (objection !== null) throw new NotComparable(objection);
  return published;
}

async function namesOf(
  client: ClientBase,
  environmentId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ id: string; external_customer_id: string }>(
    'select id, external_customer_id from members where environment_id = $1::uuid and id = any($2::uuid[])',
    [environmentId, ids],
  );
  return new Map(rows.map(({ id, external_customer_id }) => [id, external_customer_id]));
}
