import type { Connections } from '../../../db/pool.ts';
import { isStatementCancelled } from '../../../ledger/batch/sqlstate.ts';
import type { ProgramDocument } from '../../../programs/document/program-document.ts';
import { isRefusal, programNotFound, type Refusal, refuse } from '../../../refusal.ts';
import type { ReportReads } from '../../shared/replica.ts';
import { waitForBatches } from './batches-at.ts';
import type { Window } from './period.ts';
import { closePeriod, firstOpenDayOf, stretchesOf } from './period.ts';
import type { Approval } from './policy.ts';
import { readBooks } from './read-books.ts';
import { type CloseReport, closeReport } from './report.ts';
import { inSnapshot, type Snapshot, snapshotSeenBy } from './snapshot.ts';

/** The program and the period of a close. */
export interface CloseQuery {
  programId: string;
  /** Where null: the first day of the UTC month in which the period ends. */
  from: Date | null;
  /** Where null: now. */
  to: Date | null;
}

/**
 * Makes the close report of one program from one read-only snapshot. Opening balances come from closed days, so the
 * cost depends only on the period and on what was posted after it. A period that is over gives the same evidence in
 * every later report.
 * @param connections to the primary, which alone knows its time and the batches that run
 * @param environmentId UUID
 * @param elsewhere reads the books, where the primary should not
 * @returns the report; or a refusal: `program_not_found`, `invalid_window`, and `unavailable` where summing took longer
 *   than a statement may
 */
export async function findLedgerClose(
  connections: Connections,
  environmentId: string,
  query: CloseQuery,
  elsewhere: ReportReads = (work) => work(connections),
): Promise<CloseReport | Refusal> {
  const { now, isOver } = await waitForBatches(connections, environmentId, query.to);
  const window = closePeriod(query.from, query.to, now);
  try {
    // The batches that were waited for are committed by now, so the replica has to show them.
    return await elsewhere((reading) =>
      inSnapshot(reading, (snapshot) =>
        close(snapshot, environmentId, query.programId, { window, isOver, now }),
      ),
    );
  } catch (error) {
    if (isRefusal(window) || !isStatementCancelled(error)) throw error;
    return refuseSlow(connections, environmentId, window, now);
  }
}

/**
 * Why a close took too long, and what makes it faster. The postings of days that are not closed are read one by one.
 */
async function refuseSlow(
  connections: Connections,
  environmentId: string,
  window: Window,
  now: Date,
): Promise<Refusal> {
  const { rows } = await connections.query<{ closed_through: string | null }>({
    name: 'close_rolled_up',
    text: 'select closed_through::text as closed_through from ledger_rollups where environment_id = $1::uuid',
    values: [environmentId],
  });
  const open = firstOpenDayOf(window, rows[0]?.closed_through ?? null, now);
  return refuse(
    'unavailable',
    `The close took longer than STATEMENT_TIMEOUT_MS allows a statement. ${
      open === null
        ? 'Ask for a shorter period, or'
        : `Its days from ${open} on are not closed yet: the operator can close them at once with \`rewards rollup\`, or`
    } make the report with \`rewards close\`, which has no such limit.`,
  );
}

async function close(
  { client, second }: Snapshot,
  environmentId: string,
  programId: string,
  { window, isOver, now }: { window: Window | Refusal; isOver: boolean; now: Date },
): Promise<CloseReport | Refusal> {
  const end = isRefusal(window) || window.to > now ? now : window.to;
  const { rows } = await client.query<ScopeRow>({
    name: 'close_scope',
    text: SCOPE,
    values: [environmentId, programId, end],
  });
  const scope = rows[0];
  if (!scope) {
    return programNotFound;
  }
  if (isRefusal(window)) return window;
  const stretches = stretchesOf(window, scope.closed_through);
  const other = await second();
  const books = await readBooks([client, other], environmentId, programId, window, stretches);
  const snapshotIds = [
    scope.snapshot,
    await snapshotSeenBy(client, environmentId),
    await snapshotSeenBy(other, environmentId),
  ];
  return closeReport({
    programId,
    currency: scope.document.currency,
    version: scope.in_force ? { version: scope.version, document: scope.document } : null,
    approvals: (scope.approvals ?? []).map((one) => ({ ...one, approvedAt: new Date(one.approvedAt) })),
    window,
    isOver,
    books,
    snapshots: new Set(snapshotIds).size,
  });
}

interface ScopeRow {
  snapshot: string;
  closed_through: string | null;
  version: number;
  document: ProgramDocument;
  in_force: boolean;
  approvals: (Omit<Approval, 'approvedAt'> & { approvedAt: string })[] | null;
}

// The version in effect just before $3, without versions that were published or took effect later. Where there was
// none, the newest version gives the currency, which is the same in all versions.
const SCOPE = `
  select pg_current_snapshot()::text as snapshot,
    (select closed_through::text from ledger_rollups where environment_id = $1::uuid) as closed_through,
    v.version, v.document, held.in_force,
    (select json_agg(json_build_object('section', section, 'sectionHash', encode(section_hash, 'hex'),
        'version', version, 'approvedBy', approved_by, 'approvedAt', approved_at) order by approved_at, id)
      from finance_approvals where environment_id = $1::uuid and program_id = $2) as approvals
  from program_versions v
  cross join lateral (
    select v.effective_from < $3::timestamptz and v.published_at < $3::timestamptz as in_force
  ) as held
  where v.environment_id = $1::uuid and v.program_id = $2
  order by held.in_force desc, v.version desc
  limit 1`;
