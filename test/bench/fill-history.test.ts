import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { fillHistory } from '../../bench/fill-history.ts';
import type { StoredReceipt } from '../../bench/scenarios.ts';
import { plainProgram } from '../../bench/seed.ts';
import { readRelease } from '../../src/db/postgres-release.ts';
import { parseProgram } from '../../src/programs/parse/parse-program.ts';
import { receiptOf } from '../support/commands/desk.ts';
import { useCounter } from '../support/ledger/use-counter.ts';

// The bench's history is made by SQL: its figures are good for as much as its rows are like the service's own.

const TABLES: Readonly<Record<string, string>> = {
  // The first receipt of its kind is stored whole.
  transactions: "event_type = 'purchase.completed' and receipt ->> 'template' is not null",
  lots: 'true',
  postings: "debit_account = 'program.issuance'",
  orders: "state = 'active'",
  limit_counters: 'true',
  idempotency_keys: "operation = 'purchaseEarn'",
  audit_events: "action = 'purchase.completed'",
  events: "type = 'points.earned'",
};

const counter = useCounter();

/** The types of a value and of everything in it. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shapeOf(part)]));
}

/** A row of each table, of one purchase. */
async function rowsOf(environmentId: string): Promise<Record<string, Record<string, unknown>>> {
  const rows: Record<string, Record<string, unknown>> = {};
  for (const [table, where] of Object.entries(TABLES)) {
    rows[table] = await counter.value(
      `select to_jsonb(t) from ${table} t where environment_id = $1 and ${where} limit 1`,
      [environmentId],
    );
  }
  return rows;
}

test('the rows of a filled history are like those of the service', async () => {
  const { adminPool } = counter.database;
  // The ids of the history are made by uuidv7().
  if ((await readRelease(adminPool)).major < 18) return;
  const parsed = parseProgram(await readFile('demo/coffee-club.yaml', 'utf8'));
  if (!parsed.ok) throw new Error('the demo program is not valid');
  const document = plainProgram(parsed.document);
  const [own, filled] = [await counter.environment(document), await counter.environment(document)];
  // In effect since before the history.
  await adminPool.query(
    `update program_versions set effective_from = '2000-01-01Z', published_at = '2000-01-01Z'`,
  );
  const writer = counter.writer();
  await own.addMembers(writer, ['customer-0', 'customer-1']);
  await filled.addMembers(writer, ['customer-0', 'customer-1']);
  const [first] = [
    await writer.submit(own.earn('customer-0', { amountMinor: 100, currency: 'USD' })),
    await writer.submit(own.earn('customer-1', { amountMinor: 700, currency: 'USD' })),
  ];
  await fillHistory(adminPool, {
    environmentId: filled.id,
    document,
    transactions: 20,
    amounts: { least: 100, different: 1_900 },
    receipt: receiptOf(first) as unknown as StoredReceipt,
  });
  const [ofService, ofHistory] = [await rowsOf(own.id), await rowsOf(filled.id)];
  // The sequencer of a server numbers events.
  if (ofService.events) ofService.events.position = 1;
  expect(shapeOf(ofHistory)).toEqual(shapeOf(ofService));
  expect(ofHistory.transactions?.receipt).toMatchObject({
    template: (ofService.transactions as { receipt: { template: string } }).receipt.template,
  });
  expect(await counter.failedControls()).toEqual([]);
});
