import { type Statement, UNPREPARED } from '../../db/statement.ts';
import { fromTypeId } from '../../ids.ts';
import { MOST_PAGE_BYTES } from '../shared/listed.ts';
import { auditColumns } from './audit-event-view.ts';

/** Which audit events are listed: those that match every criterion that is not null. */
export interface AuditCriteria {
  action: string | null;
  targetType: string | null;
  targetId: string | null;
  actorId: string | null;
  /** `at` is this or later. */
  from: Date | null;
  /** `at` is before this. */
  to: Date | null;
}

/** The position of an event in the list. */
export interface AuditPosition {
  /** As Postgres writes it, to the microsecond. */
  at: string;
  /** UUID. */
  id: string;
}

/** So many events are looked through for a page under filters that no index answers. */
export const MOST_LOOKED_THROUGH = 10_000;

/** The conditions that an index answers, and those that are checked for each row which it leads to. */
interface Conditions {
  indexed: string;
  checked: string | null;
  values: unknown[];
  /** How many of the values, the first ones, are those of the indexed conditions. */
  indexedValues: number;
  /** One letter for each condition. */
  shape: string;
}

/**
 * Reads a page of audit events, newest first, with their seals; one more where there is one. Rows are left out after
 * the one that brings the changes of the page to `MOST_PAGE_BYTES`; `found` counts them too.
 * @param after the last event of the previous page
 */
export function listAuditEvents(
  environmentId: string,
  criteria: AuditCriteria,
  after: AuditPosition | null,
  limit: number,
): Statement {
  const { indexed, checked, values, shape } = conditionsOf(environmentId, criteria, after);
  const most = `$${values.length + 1}::integer`;
  const rows = `select * from audit_events where ${indexed} order by at desc, id desc`;
  const source =
    checked === null
      ? `${rows} limit ${most}`
      : isBounded(criteria)
        ? `select * from (${rows} limit ${MOST_LOOKED_THROUGH}) looked where ${checked}
          order by at desc, id desc limit ${most}`
        : `select * from audit_events where ${indexed} and ${checked} order by at desc, id desc limit ${most}`;
  return {
    name: shape.length <= 1 ? `list_audit_events_${shape}` : UNPREPARED,
    text: `select ${auditColumns('e')}, e.at::text as at_text, e.found::integer as found,
        s.chain_position as seal_position, encode(s.hash, 'hex') as seal_hash
      from (
        select f.*, count(*) over () as found,
          sum(octet_length(changes::text)) over (order by at desc, id desc rows unbounded preceding)
            - octet_length(changes::text) as bytes_before
        from (${source}) f
      ) e
      left join lateral (
        select chain_position, hash from audit_seals
        where environment_id = $1::uuid and event_at = e.at and event_id = e.id
        limit 1
      ) s on true
      where e.bytes_before < ${MOST_PAGE_BYTES}
      order by e.at desc, e.id desc`,
    values: [...values, limit + 1],
  };
}

/**
 * Finds the last event that `listAuditEvents` looked through where it stopped before the end of the trail.
 * @returns null where it never stops before the end
 */
export function lastLookedThrough(
  environmentId: string,
  criteria: AuditCriteria,
  after: AuditPosition | null,
): Statement | null {
  const { indexed, checked, values, indexedValues } = conditionsOf(environmentId, criteria, after);
  if (checked === null || !isBounded(criteria)) return null;
  return {
    name: UNPREPARED,
    text: `select e.at::text as at, e.id from audit_events e
      where ${indexed}
      order by e.at desc, e.id desc
      offset ${MOST_LOOKED_THROUGH - 1} limit 1`,
    values: values.slice(0, indexedValues),
  };
}

/** A target has few events; without one the index leads to all events of the window. */
function isBounded({ targetId }: AuditCriteria): boolean {
  return targetId === null;
}

function creationOf(transactionId: string): string {
  return `select created_at from transactions where environment_id = $1::uuid and id = ${transactionId}::uuid`;
}

function conditionsOf(
  environmentId: string,
  { action, targetType, targetId, actorId, from, to }: AuditCriteria,
  after: AuditPosition | null,
): Conditions {
  const values: unknown[] = [environmentId];
  let shape = '';
  const add = (letter: string, value: unknown): string => {
    shape += letter;
    values.push(value);
    return `$${values.length}`;
  };
  const indexed = ['environment_id = $1::uuid'];
  if (targetId !== null) {
    const target = add('i', targetId);
    const transactionId = fromTypeId('txn', targetId);
    // The only audit event of a transaction is of its time of creation; the index of targets has the others alone.
    indexed.push(
      transactionId === null
        ? `target_id = ${target} and target_type <> 'transaction'`
        : `target_id = ${target} and at = (${creationOf(add('x', transactionId))})`,
    );
  }
  if (from) indexed.push(`at >= ${add('f', from.toISOString())}::timestamptz`);
  if (to) indexed.push(`at < ${add('t', to.toISOString())}::timestamptz`);
  if (after) indexed.push(`(at, id) < (${add('p', after.at)}::timestamptz, ${add('', after.id)}::uuid)`);
  const indexedValues = values.length;
  const checked: string[] = [];
  if (action !== null) checked.push(`action = ${add('a', action)}`);
  if (targetType !== null) checked.push(`target_type = ${add('y', targetType)}`);
  if (actorId !== null) checked.push(`actor_id = ${add('o', actorId)}`);
  return {
    indexed: indexed.join(' and '),
    checked: checked.length > 0 ? checked.join(' and ') : null,
    values,
    indexedValues,
    shape,
  };
}
