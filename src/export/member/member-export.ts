import type { ClientBase, Pool } from 'pg';
import { readTime } from '../../db/environment-time.ts';
import { readByCursor } from '../../db/read-by-cursor.ts';
import { toTypeId } from '../../ids.ts';
import { readReceipt, UnreadableReceipt } from '../../ledger/receipts/stored-receipt.ts';
import { wholeData } from '../../ledger/tables/event-data.ts';
import type { EventRecord } from '../../ledger/tables/events.ts';
import type { Person } from '../../queries/shared/find-person.ts';
import { auditEventsAbout, keysOf, type Shown } from './person-records.ts';
import { SECTIONS, type Section } from './sections.ts';

/** The least characters that are written at once. */
const PART_LENGTH = 65_536;

/**
 * Writes all that is held about one member, as one JSON object with a list for each kind of rows, from one snapshot.
 * Few rows are in memory at a time.
 * @param write takes the next part of the text
 * @returns the number of rows of each list
 */
export async function exportMember(
  pool: Pick<Pool, 'connect'>,
  person: Person,
  write: (text: string) => Promise<void>,
): Promise<Record<string, number>> {
  const client = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query('set local idle_in_transaction_session_timeout = 0');
    const head = {
      schema: 'rewards.member-export.v1',
      environmentId: toTypeId('env', person.environmentId),
      memberId: toTypeId('mem', person.memberId),
      exportedAt: await readTime(client, person.environmentId),
    };
    let waiting = JSON.stringify(head, null, 2).slice(0, -'\n}'.length);
    const add = async (text: string): Promise<void> => {
      waiting += text;
      if (waiting.length < PART_LENGTH) return;
      const part = waiting;
      waiting = '';
      await write(part);
    };
    const counts: Record<string, number> = {};
    const accounts = [person, ...(await mergedInto(client, person))];
    for (const [name, records] of listsOf(client, accounts))
      counts[name] = await writeList(name, records, add);
    await write(`${waiting}\n}\n`);
    return counts;
  } finally {
    await client.query('rollback').catch(() => undefined);
    client.release();
  }
}

/** The accounts that were merged into the person's: what is held about them is held about the person. */
async function mergedInto(client: ClientBase, { environmentId, memberId }: Person): Promise<Person[]> {
  const { rows } = await client.query<{ id: string; external_customer_id: string }>({
    name: 'accounts_merged_into',
    text: `select id, external_customer_id from members
      where environment_id = $1::uuid and merged_into = $2::uuid order by id`,
    values: [environmentId, memberId],
  });
  return rows.map((row) => ({
    environmentId,
    memberId: row.id,
    externalCustomerId: row.external_customer_id,
  }));
}

/** The lists, each with the rows of all accounts, one account after the other. */
function* listsOf(
  client: ClientBase,
  accounts: readonly Person[],
): Generator<[string, AsyncIterable<Shown>]> {
  const ofAll = async function* (of: (person: Person) => AsyncIterable<Shown>): AsyncGenerator<Shown> {
    for (const person of accounts) yield* of(person);
  };
  for (const section of SECTIONS) yield [section.name, ofAll((person) => rowsOf(client, section, person))];
  yield ['auditEvents', ofAll((person) => auditEventsAbout(client, person))];
  yield ['idempotencyKeys', ofAll((person) => keysOf(client, person))];
}

async function* rowsOf(client: ClientBase, section: Section, person: Person): AsyncGenerator<Shown> {
  const values = [person.environmentId, person.memberId];
  const rows = readByCursor<Shown>(client, `rows_of_${section.table}`, section.query, values);
  for await (const { of_another_order, ...row } of rows) {
    if (row.receipt) row.receipt = shownReceipt(row.receipt, String(row.id));
    if (section.table === 'events')
      row.data = wholeData({ ...row, programId: row.program_id } as EventRecord & Shown);
    yield shownRow(of_another_order ? withoutReferences(row) : row, section);
  }
}

/** The receipt of a transaction; where it cannot be read, what is left of it and why. @param id UUID */
function shownReceipt(stored: object, id: string): object {
  const receipt = readReceipt(stored, id);
  return receipt instanceof UnreadableReceipt ? { unreadable: receipt.message, stored } : receipt;
}

/** Properties that name an order, or its return. */
const ORDER_REFERENCES = ['source_reference', 'sourceReference', 'orderReference', 'returnReference'];

/** The row without references of an order, in its columns and in their JSON. */
function withoutReferences(row: Shown): Shown {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (ORDER_REFERENCES.includes(name)) return [name, null];
      const isJson =
        typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
      return [name, isJson ? withoutReferences(value as Shown) : value];
    }),
  );
}

/** The columns of a row by the names of the API, without the environment. */
function shownRow(row: Shown, { ids }: Section): Shown {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([column]) => column !== 'environment_id')
      .map(([column, value]) => {
        const prefix = ids[column];
        const name = column.replaceAll(/_[a-z]/g, (part) => part.slice(1).toUpperCase());
        return [name, prefix && typeof value === 'string' ? toTypeId(prefix, value) : value];
      }),
  );
}

async function writeList(
  name: string,
  records: AsyncIterable<Shown>,
  write: (text: string) => Promise<void>,
): Promise<number> {
  let rows = 0;
  await write(`,\n  ${JSON.stringify(name)}: [`);
  for await (const record of records) {
    await write(`${rows === 0 ? '' : ','}\n    ${JSON.stringify(record)}`);
    rows += 1;
  }
  await write(rows === 0 ? ']' : '\n  ]');
  return rows;
}
