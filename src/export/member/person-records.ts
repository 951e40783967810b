import type { ClientBase } from 'pg';
import { readByCursor } from '../../db/read-by-cursor.ts';
import { toTypeId } from '../../ids.ts';
import type { Person } from '../../queries/shared/find-person.ts';
import { AUDITED } from './sections.ts';

/** A row as it is shown. */
export type Shown = Record<string, unknown>;

const IDS_AT_ONCE = 500;

const TRANSACTIONS = `select t.id, t.created_at::text as at from transactions t
  where t.environment_id = $1::uuid and t.member_id = $2::uuid order by t.created_at, t.id`;

const AUDIT_COLUMNS = `e.id, e.at, e.action, e.target_type as "targetType", e.target_id as "targetId",
    e.actor_type as "actorType", e.actor_id as "actorId", e.request_id as "requestId", e.changes`;

const AUDITS_OF_TARGETS = `
  select ${AUDIT_COLUMNS} from audit_events e
  where e.environment_id = $1::uuid and e.target_id = any($2::text[]) and e.target_type <> 'transaction'
  order by e.at, e.id`;

// The audit events of a transaction are of its time of creation.
const AUDITS_OF_TRANSACTIONS = `
  select ${AUDIT_COLUMNS} from audit_events e
  where e.environment_id = $1::uuid and e.at = any($2::timestamptz[]) and e.target_id = any($3::text[])
  order by e.at, e.id`;

/** The audit events about several members at once have the environment as their target. */
const AUDITS_OF_SEVERAL = `
  select ${AUDIT_COLUMNS} from audit_events e
  where e.environment_id = $1::uuid and e.target_id = $3 and (e.changes -> 'members')::jsonb ? $2
  order by e.at, e.id`;

interface AuditRow extends Shown {
  id: string;
  changes: Record<string, unknown>;
}

/** The audit events about a member, by target. Where one is about several members, only this one is shown. */
export async function* auditEventsAbout(client: ClientBase, person: Person): AsyncGenerator<Shown> {
  const { environmentId, memberId } = person;
  const mem = toTypeId('mem', memberId);
  const ofTargets = async (ids: readonly string[]): Promise<Shown[]> =>
    (await client.query<AuditRow>(AUDITS_OF_TARGETS, [environmentId, ids])).rows.map(shownAudit);
  yield* await ofTargets([mem]);
  const ofSeveral = [environmentId, mem, toTypeId('env', environmentId)];
  const shared = readByCursor<AuditRow>(client, 'audits_of_several', AUDITS_OF_SEVERAL, ofSeveral);
  for await (const row of shared) yield shownAudit({ ...row, changes: { ...row.changes, members: [mem] } });
  for (const [prefix, query] of AUDITED) {
    for await (const rows of idsOf(client, `ids_${prefix}`, query, person)) {
      yield* await ofTargets(rows.map(({ id }) => toTypeId(prefix, id)));
    }
  }
  for await (const rows of idsOf(client, 'ids_txn', TRANSACTIONS, person)) {
    const { rows: auditRows } = await client.query<AuditRow>(AUDITS_OF_TRANSACTIONS, [
      environmentId,
      rows.map(({ at }) => at),
      rows.map(({ id }) => toTypeId('txn', id)),
    ]);
    yield* auditRows.map(shownAudit);
  }
}

function shownAudit(row: AuditRow): Shown {
  return { ...row, id: toTypeId('aud', row.id) };
}

const KEYS_OF_TRANSACTIONS = `
  select k.operation, k.key, k.created_at as "createdAt", k.transaction_id, null as receipt
  from transactions t
  join idempotency_keys k on k.environment_id = $1::uuid and k.transaction_id = t.id
  where t.environment_id = $1::uuid and t.member_id = $2::uuid
  order by k.created_at, k.operation, k.key`;

// A receipt names the member by its id, by the customer's, or by the id of an event or of a claim.
const KEYS_WITH_RECEIPTS = `
  select k.operation, k.key, k.created_at as "createdAt", null as transaction_id, k.receipt
  from idempotency_keys k
  where k.environment_id = $1::uuid and k.receipt is not null and (
    k.receipt #>> '{member,id}' = $2
    or $3 in (k.receipt #>> '{quote,externalCustomerId}', k.receipt #>> '{reservation,externalCustomerId}',
      k.receipt #>> '{adjustment,externalCustomerId}', k.receipt #>> '{couponCode,externalCustomerId}')
    or k.receipt ->> 'id' = any($4::text[]))
  order by k.created_at, k.operation, k.key`;

interface KeyRow extends Shown {
  transaction_id: string | null;
}

/** The idempotency keys of a member's commands, with those receipts that are not stored with a transaction. */
export async function* keysOf(client: ClientBase, person: Person): AsyncGenerator<Shown> {
  const { environmentId, memberId, externalCustomerId } = person;
  const scope = [environmentId, memberId];
  for await (const row of readByCursor<KeyRow>(client, 'keys_of_transactions', KEYS_OF_TRANSACTIONS, scope)) {
    const { transaction_id: id, ...shown } = row;
    yield { ...shown, transactionId: id && toTypeId('txn', id) };
  }
  const ids: string[] = [];
  for (const [prefix, query] of AUDITED.filter(([prefix]) => prefix === 'evt' || prefix === 'chc')) {
    for await (const rows of idsOf(client, `keys_${prefix}`, query, person))
      ids.push(...rows.map(({ id }) => toTypeId(prefix, id)));
  }
  const values = [environmentId, toTypeId('mem', memberId), externalCustomerId, ids];
  for await (const row of readByCursor<KeyRow>(client, 'keys_with_receipts', KEYS_WITH_RECEIPTS, values)) {
    const { transaction_id: _none, ...shown } = row;
    yield { ...shown, transactionId: null };
  }
}

async function* idsOf(
  client: ClientBase,
  name: string,
  query: string,
  { environmentId, memberId }: Person,
): AsyncGenerator<{ id: string; at?: string }[]> {
  let batch: { id: string; at?: string }[] = [];
  for await (const row of readByCursor<{ id: string; at?: string }>(client, name, query, [
    environmentId,
    memberId,
  ])) {
    batch.push(row);
    if (batch.length === IDS_AT_ONCE) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}
