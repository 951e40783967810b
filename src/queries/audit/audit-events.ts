import type { AuditEvent, AuditEventFilter } from '../../contract/generated/types.ts';
import { readTime } from '../../db/environment-time.ts';
import type { Connections } from '../../db/pool.ts';
import type { AuditRecord } from '../../ledger/tables/audit-events.ts';
import { isRefusal, type Refusal } from '../../refusal.ts';
import { checkWindow } from '../shared/check-window.ts';
import type { ListAccess, Listed, PageRequest } from '../shared/listed.ts';
import {
  type AuditCriteria,
  type AuditPosition,
  lastLookedThrough,
  listAuditEvents,
} from './audit-event-statements.ts';
import { sealedEvent } from './audit-event-view.ts';

/** The longest window of a list, in days. */
const WINDOW_DAYS = 366;

/** A row of the list: at most as many as fit into a page, of all that were found. */
interface Row extends AuditRecord {
  /** As Postgres writes it, to the microsecond. */
  at_text: string;
  /** How many were found, one more than `limit` at most. */
  found: number;
  seal_position: number | null;
  /** Hex. */
  seal_hash: string | null;
}

/**
 * Lists the audit trail, newest first. A page is limited in events, in bytes of changes, and in events that are looked
 * through for filters that no index answers; it may be empty although more follows.
 * @returns refusals: `invalid_window`, `invalid_cursor`
 */
export async function listOfAuditEvents(
  { connections, cursors, environmentId }: ListAccess,
  filter: AuditEventFilter,
  { limit, cursor }: PageRequest,
): Promise<Listed<AuditEvent> | Refusal> {
  const criteria = criteriaOf(filter);
  const refusal =
    criteria.from && checkWindow(criteria, WINDOW_DAYS, await readTime(connections, environmentId));
  if (refusal) return refusal;
  const identity = { environmentId, list: 'auditEvents', filter: { ...criteria } };
  const read = await cursors.read(identity, cursor);
  if (read && isRefusal(read)) return read;
  const after = read && { at: read[0] ?? '', id: read[1] ?? '' };
  const { rows } = await connections.query<Row>(listAuditEvents(environmentId, criteria, after, limit));
  const shown = rows.slice(0, limit);
  const isCut = (rows[0]?.found ?? 0) > shown.length;
  const last = isCut
    ? lastOf(shown)
    : await endOfLook(connections, lastLookedThrough(environmentId, criteria, after));
  const nextCursor = last && (await cursors.write(identity, [last.at, last.id]));
  return { data: shown.map(viewOf), page: { nextCursor, hasMore: nextCursor !== null } };
}

function lastOf(rows: readonly Row[]): AuditPosition | null {
  const last = rows.at(-1);
  return last ? { at: last.at_text, id: last.id } : null;
}

/** The event at which the look through the events ended before their end; null where it saw them all. */
async function endOfLook(
  connections: Connections,
  statement: ReturnType<typeof lastLookedThrough>,
): Promise<AuditPosition | null> {
  if (statement === null) return null;
  const { rows } = await connections.query<AuditPosition>(statement);
  return rows[0] ?? null;
}

function criteriaOf(filter: AuditEventFilter): AuditCriteria {
  return {
    action: filter.action ?? null,
    targetType: filter.targetType ?? null,
    targetId: filter.targetId ?? null,
    actorId: filter.actorId ?? null,
    from: filter.from ? new Date(filter.from) : null,
    to: filter.to ? new Date(filter.to) : null,
  };
}

function viewOf(row: Row): AuditEvent {
  const { seal_position: position, seal_hash: hash } = row;
  return { ...sealedEvent(row), seal: position === null || hash === null ? null : { position, hash } };
}
