import type { ClientBase } from 'pg';
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
  /** Checked already, by parseProgram. */
  draft: ProgramDocument;
  /** From when on the draft holds and events count; null for ever. */
  from: Date | null;
  /** Events from then on do not count; null for now. */
  to: Date | null;
  clock: SimulationClock;
  /** How many members the report names that win most, and that lose most. */
  top: number;
  /** Called once before the events, with their number, and then now and then with how many are done. */
  onProgress(done: number, total: number): void;
}

/** The draft has nothing to be compared with. */
export class NotComparable extends Error {
  override name = 'NotComparable';
}

const REPORT_EVERY = 500;

/**
 * Runs the real events of a period under a draft, in one snapshot of the database that is read only: nothing is written,
 * whatever happens.
 * @param client of its own for the time that it takes
 * @throws NotComparable where nothing of the program is published, or its points are worth something else
 */
export async function simulateProgram(
  client: ClientBase,
  options: SimulateOptions,
): Promise<SimulationReport> {
  await client.query('begin isolation level repeatable read read only');
  // Everything is read, once. Right after an import the tables have no statistics, and loops within loops that look
  // cheap without them take minutes.
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
  const readAt = await readClock(client);
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
 * A simulation of what is published, where the records do not say what a draft can be compared with: on the events' clock,
 * for they are dated by the receipt; and where points live on by activity, of those that were returned or redeemed.
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
  const programs = await new ProgramCatalog().programsOf(client, environmentId, 0);
  const published = programs.get(draft.id) ?? { programId: draft.id, versions: [] };
  const objection = whyNotComparable(published, draft);
  if (objection !== null) throw new NotComparable(objection);
  return published;
}

async function readClock(client: ClientBase): Promise<Date> {
  const { rows } = await client.query<{ at: Date }>('select clock_timestamp() as at');
  return rows[0]?.at as Date;
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
