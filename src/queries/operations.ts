import type {
  Operation,
  OperationFilter,
  OperationStatus,
  OperationType,
} from '../contract/generated/types.ts';
import type { Connections } from '../db/pool.ts';
import { type Statement, UNPREPARED } from '../db/statement.ts';
import { fromTypeId, toTypeId } from '../ids.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Position } from './shared/cursors.ts';
import { type ListAccess, type Listed, MOST_PAGE_BYTES, type PageRequest } from './shared/listed.ts';

interface Row {
  id: string;
  type: OperationType;
  status: OperationStatus;
  done: number;
  total: number | null;
  created_at: Date;
  /** To the microsecond. */
  created_at_text: string;
  started_at: Date | null;
  finished_at: Date | null;
  result: Operation['result'];
  error: Operation['error'];
  /** How many were found, one more than `limit` at most. */
  found: number;
}

const COLUMNS = `o.id, o.type, o.status, o.progress_done as done, o.progress_total as total, o.created_at,
    o.created_at::text as created_at_text, o.started_at, o.finished_at, o.result, o.error`;

/**
 * Reads a long-running operation.
 * @param id the public id, as a client sends it
 * @returns null where the environment has no such operation
 */
export async function readOperation(
  connections: Connections,
  environmentId: string,
  id: string,
): Promise<Operation | null> {
  const uuid = fromTypeId('op', id);
  if (uuid === null) return null;
  const { rows } = await connections.query<Row>({
    name: 'find_operation',
    text: `select ${COLUMNS}, 1 as found from operations o where o.environment_id = $1::uuid and o.id = $2::uuid`,
    values: [environmentId, uuid],
  });
  return rows[0] ? viewOf(rows[0]) : null;
}

/**
 * Lists long-running operations, newest first. A page is limited in operations and in bytes of results.
 * @returns refusals: `invalid_cursor`
 */
export async function listOfOperations(
  { connections, cursors, environmentId }: ListAccess,
  { type = null, status = null }: OperationFilter,
  { limit, cursor }: PageRequest,
): Promise<Listed<Operation> | Refusal> {
  const identity = { environmentId, list: 'operations', filter: { type, status } };
  const after = await cursors.read(identity, cursor);
  if (after && isRefusal(after)) return after;
  const statement = listOperations(environmentId, { type, status }, after, limit);
  const { rows } = await connections.query<Row>(statement);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = last !== undefined && last.found > shown.length;
  const nextCursor = hasMore ? await cursors.write(identity, [last.created_at_text, last.id]) : null;
  return { data: shown.map(viewOf), page: { nextCursor, hasMore } };
}

/**
 * Reads a page of operations, newest first, and one more where there is one. Each combination of criteria is a
 * statement of its own, so that the planner can choose the index that leads to the page: `operations_by_type`,
 * `_unusual` or `_by_time`.
 * @param after the last row of the previous page: its time of creation and its id
 */
export function listOperations(
  environmentId: string,
  { type, status }: { type: OperationType | null; status: OperationStatus | null },
  after: Position | null,
  limit: number,
): Statement {
  const values: unknown[] = [environmentId, limit + 1];
  const conditions = ['environment_id = $1::uuid'];
  let shape = '';
  const add = (letter: string, condition: (parameter: string) => string, value: unknown): void => {
    shape += letter;
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  if (type) add('t', (n) => `type = ${n}`, type);
  if (status === 'succeeded') add('s', (n) => `status = ${n}`, status);
  // The second condition is the predicate of the partial index operations_unusual.
  else if (status) add('u', (n) => `status = ${n} and status <> 'succeeded'`, status);
  if (after) {
    const [at = '', id = ''] = after;
    add('a', (n) => `(created_at, id) < (${n}::timestamptz, $${values.length + 1}::uuid)`, at);
    values.push(id);
  }
  return {
    name: shape.length <= 1 ? `list_operations_${shape}` : UNPREPARED,
    text: `select ${COLUMNS}, o.found::integer as found
      from (
        select f.*, count(*) over () as found,
          sum(coalesce(octet_length(result::text), 0)) over (order by created_at desc, id desc rows unbounded preceding)
            - coalesce(octet_length(result::text), 0) as bytes_before
        from (
          select * from operations
          where ${conditions.join(' and ')}
          order by created_at desc, id desc
          limit $2::integer
        ) f
      ) o
      where o.bytes_before < ${MOST_PAGE_BYTES}
      order by o.created_at desc, o.id desc`,
    values,
  };
}

function viewOf(row: Row): Operation {
  return {
    id: toTypeId('op', row.id),
    type: row.type,
    status: row.status,
    progress: { done: row.done, total: row.total },
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
    result: row.result ?? null,
    error: row.error ?? null,
  };
}
