import type { ClientBase } from 'pg';
import type { Statement } from '../../db/statement.ts';
import { toTypeId } from '../../ids.ts';
import type { AuditRecord } from '../../ledger/tables/audit-events.ts';
import { auditColumns, sealHash } from './audit-event-view.ts';

/** The end of a chain, as `rewards audit head` prints it. */
export interface AuditHead {
  /** 0 where nothing is sealed. */
  position: number;
  /** 64 hexadecimal digits. */
  hash: string;
}

/** A place where a chain is not what was sealed. */
export interface AuditBreak {
  /** Null for an event that has no place in the chain. */
  position: number | null;
  eventId: string | null;
  problem: string;
}

export interface AuditVerdict {
  head: AuditHead;
  /** Seals that were computed again. */
  checked: number;
  /** The first `MOST_BREAKS`. */
  breaks: AuditBreak[];
  /** All of them. */
  breakCount: number;
}

export interface VerifyAuditOptions {
  /** A head that was noted down earlier: the chain has to lead through it. */
  noted?: AuditHead | null;
  /** @param total the position of the head */
  onProgress?(done: number, total: number): void;
}

const STEP = 500;
const MOST_BREAKS = 20;

interface HeadRow {
  position: number;
  hash: Buffer;
  /** As Postgres writes it. */
  settled_until: string;
}

type SealRow = { position: number; hash: Buffer; event_id: string } & (AuditRecord | { id: null });

/** Reads the end of an environment's chain. @param environmentId UUID */
export async function readAuditHead(
  client: Pick<ClientBase, 'query'>,
  environmentId: string,
): Promise<AuditHead> {
  const head = await readHead(client, environmentId);
  return { position: head.position, hash: head.hash.toString('hex') };
}

/**
 * Computes the hash chain of an environment's audit events again, in steps, in one snapshot. After a break it goes on
 * with the stored hash, so that each break is told once.
 * @param client the connection of an operator, outside a transaction
 * @param environmentId UUID
 */
export async function verifyAudit(
  client: Pick<ClientBase, 'query'>,
  environmentId: string,
  { noted = null, onProgress }: VerifyAuditOptions = {},
): Promise<AuditVerdict> {
  await client.query('begin isolation level repeatable read read only');
  try {
    const head = await readHead(client, environmentId);
    const chain = new Chain(noted);
    for (;;) {
      const { rows } = await client.query<SealRow>(sealsAfter(environmentId, chain.position));
      for (const row of rows) chain.check(row);
      onProgress?.(chain.position, head.position);
      if (rows.length < STEP) break;
    }
    chain.end(head);
    for await (const eventId of unsealedBefore(client, environmentId, head.settled_until)) {
      chain.broken(
        null,
        eventId,
        'The event has no seal, though all events of its time are sealed: it was added later.',
      );
    }
    const { checked, breaks, breakCount } = chain;
    return {
      head: { position: head.position, hash: head.hash.toString('hex') },
      checked,
      breaks,
      breakCount,
    };
  } finally {
    await client.query('rollback');
  }
}

/** The chain as far as it is checked. */
class Chain {
  position = 0;
  checked = 0;
  breakCount = 0;
  readonly breaks: AuditBreak[] = [];
  readonly #noted: AuditHead | null;
  #hash: Buffer = Buffer.alloc(32);

  constructor(noted: AuditHead | null) {
    this.#noted = noted;
  }

  check(row: SealRow): void {
    const { position, hash } = row;
    const eventId = toTypeId('aud', row.event_id);
    if (position !== this.position + 1) {
      this.broken(this.position + 1, null, `The seals up to ${position - 1} are missing.`);
    } else if (row.id === null) {
      this.broken(position, eventId, 'The event is missing.');
    } else if (!sealHash(this.#hash, row).equals(hash)) {
      this.broken(position, eventId, 'The event, its place or a hash was changed after it was sealed.');
    }
    if (this.#noted?.position === position && this.#noted.hash !== hash.toString('hex')) {
      this.broken(position, eventId, 'The hash is not the one that was noted down.');
    }
    this.position = position;
    this.#hash = hash;
    this.checked += 1;
  }

  end(head: HeadRow): void {
    if (head.position !== this.position || !head.hash.equals(this.#hash)) {
      const ends = `The chain ends at position ${this.position}`;
      this.broken(head.position, null, `${ends}, which is not the stored head.`);
    }
    if (this.#noted && this.#noted.position > this.position) {
      this.broken(
        this.#noted.position,
        null,
        `The chain ends at ${this.position}, before the position noted down.`,
      );
    }
  }

  broken(position: number | null, eventId: string | null, problem: string): void {
    this.breakCount += 1;
    if (this.breaks.length < MOST_BREAKS) this.breaks.push({ position, eventId, problem });
  }
}

async function readHead(client: Pick<ClientBase, 'query'>, environmentId: string): Promise<HeadRow> {
  const { rows } = await client.query<HeadRow>({
    name: 'read_audit_head',
    text: `select position, hash, settled_until::text from audit_heads where environment_id = $1::uuid`,
    values: [environmentId],
  });
  return rows[0] ?? { position: 0, hash: Buffer.alloc(32), settled_until: '-infinity' };
}

/** The seals after a position, in order, with their events; `id` is null where the event is gone. */
function sealsAfter(environmentId: string, position: number): Statement {
  return {
    name: 'audit_seals_after',
    text: `select s.chain_position as position, s.hash, s.event_id, ${auditColumns('e')}
      from (
        select * from audit_seals
        where environment_id = $1::uuid and chain_position > $2::bigint
        order by chain_position
        limit ${STEP}
      ) s
      left join lateral (
        select * from audit_events
        where environment_id = $1::uuid and at = s.event_at and id = s.event_id
        limit 1
      ) e on true
      order by s.chain_position`,
    values: [environmentId, position],
  };
}

/** The public ids of the audit events from before an instant that have no seal. @param until as Postgres writes it */
async function* unsealedBefore(
  client: Pick<ClientBase, 'query'>,
  environmentId: string,
  until: string,
): AsyncGenerator<string> {
  let [at, id] = ['-infinity', '00000000-0000-0000-0000-000000000000'];
  for (;;) {
    const { rows } = await client.query<{ at: string; id: string; sealed: boolean }>({
      name: 'audit_events_with_seals',
      text: `select e.at::text as at, e.id, s.chain_position is not null as sealed
        from (
          select at, id from audit_events
          where environment_id = $1::uuid and (at, id) > ($2::timestamptz, $3::uuid) and at < $4::timestamptz
          order by at, id
          limit 10000
        ) e
        left join lateral (
          select chain_position from audit_seals
          where environment_id = $1::uuid and event_at = e.at and event_id = e.id
          limit 1
        ) s on true
        order by e.at, e.id`,
      values: [environmentId, at, id, until],
    });
    for (const row of rows) if (!row.sealed) yield toTypeId('aud', row.id);
    const last = rows.at(-1);
    if (!last) return;
    ({ at, id } = last);
  }
}
