import { expect, test } from '@jest/globals';
import { verifyLedger } from '../../../src/ledger/controls/verify.ts';
import { wholeReceipt } from '../../../src/ledger/receipts/stored-receipt.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { createQueries } from '../../../src/queries/queries.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { receiptOf } from '../../support/commands/desk.ts';
import type { Shop } from '../../support/ledger/counter.ts';
import { storeReceiptsWhole } from '../../support/ledger/store-receipts-whole.ts';
import { useCounter, useWriter } from '../../support/ledger/use-counter.ts';
import { program, rule } from '../../support/rules/fixtures.ts';

let programs = 0;

const counter = useCounter();
const writer = useWriter(counter);

interface Bought {
  shop: Shop;
  /** What was answered, by idempotency key. */
  answers: Map<string, string>;
}

/** Three purchases, of which the last two, at least, have their template in common. */
async function bought(...documents: ProgramDocument[]): Promise<Bought> {
  const shop = await counter.environment(...documents);
  await shop.addMembers(writer, ['ann', 'bob']);
  const answers = new Map<string, string>();
  for (const [index, customer] of ['ann', 'bob', 'ann'].entries()) {
    const idempotencyKey = `purchase-${index}`;
    const outcome = await writer.submit(shop.earn(customer, { idempotencyKey, amountMinor: 700 + index }));
    answers.set(idempotencyKey, JSON.stringify(receiptOf(outcome)));
  }
  return { shop, answers };
}

async function replays({ shop, answers }: Bought): Promise<Map<string, string>> {
  // Another process, which has seen nothing yet.
  const other = counter.writer();
  const replayed = new Map<string, string>();
  for (const [index, customer] of ['ann', 'bob', 'ann'].entries()) {
    const idempotencyKey = `purchase-${index}`;
    const outcome = await other.submit(shop.earn(customer, { idempotencyKey, amountMinor: 700 + index }));
    expect(outcome).toMatchObject({ idempotent: true });
    replayed.set(idempotencyKey, JSON.stringify(receiptOf(outcome)));
  }
  expect(replayed.size).toBe(answers.size);
  return replayed;
}

async function stored({ shop }: Bought): Promise<Record<string, unknown>[]> {
  const { rows } = await counter.database.adminPool.query<{ receipt: Record<string, unknown> }>(
    'select receipt from transactions where environment_id = $1 order by created_at, id',
    [shop.id],
  );
  return rows.map(({ receipt }) => receipt);
}

test('receipts with a template are replayed byte for byte, as are whole ones', async () => {
  const all = await bought();
  const [, second, third] = await stored(all);
  expect(second).toHaveProperty('template');
  expect(third).toHaveProperty('template', second?.template);
  expect(await replays(all)).toEqual(all.answers);
  await storeReceiptsWhole(counter.database.adminPool, all.shop.id);
  for (const receipt of await stored(all)) expect(receipt).not.toHaveProperty('template');
  expect(await replays(all)).toEqual(all.answers);
});

test('reads show the evaluation of both alike, and every control passes', async () => {
  const { shop } = await bought();
  const queries = createQueries(counter.database.adminPool);
  const read = () =>
    queries.transactions(shop.id, {}, { limit: 10, cursor: null }, { entries: true, evaluation: true });
  const packed = await read();
  expect(await counter.failedControls()).toEqual([]);
  await storeReceiptsWhole(counter.database.adminPool, shop.id);
  expect(await read()).toEqual(packed);
  expect(await counter.failedControls()).toEqual([]);
});

test('a running server writes a lost template again, and with it all receipts that share it', async () => {
  const all = await bought(program({ earn: { rules: [rule(`again-${++programs}`)] } }));
  await counter.database.adminPool.query('delete from receipt_templates where environment_id = $1', [
    all.shop.id,
  ]);
  expect(await counter.failedControls()).toEqual(['templates-of-receipts']);
  await writer.submit(all.shop.earn('ann', { idempotencyKey: 'later', amountMinor: 900 }));
  expect(await counter.failedControls()).toEqual([]);
  const { data } = await shown(all.shop);
  expect(data.map(({ evaluationUnreadable }) => evaluationUnreadable)).toEqual([false, false, false, false]);
  expect(await replays(all)).toEqual(all.answers);
});

test('a template that is lost or changed, and a receipt that does not fit it, are found by their control', async () => {
  const { shop } = await bought();
  const pool = counter.database.adminPool;
  const { rows } = await pool.query<{ id: string; template: string }>(
    'select id, template::text as template from receipt_templates where environment_id = $1',
    [shop.id],
  );
  expect(rows).toHaveLength(1);
  const [{ id, template } = { id: '', template: '' }] = rows;
  const other = template.replace('"points":"=points"', '"points":43');
  expect(other).not.toBe(template);
  const store = 'update receipt_templates set template = $3::json where environment_id = $1 and id = $2';
  await pool.query(store, [shop.id, id, other]);
  expect(await counter.failedControls()).toEqual(['templates-of-receipts']);
  await pool.query('delete from receipt_templates where environment_id = $1', [shop.id]);
  expect(await counter.failedControls()).toEqual(['templates-of-receipts']);
  await pool.query('insert into receipt_templates values ($1, $2, $3::json)', [shop.id, id, template]);
  expect(await counter.failedControls()).toEqual([]);
  const shorten = `update transactions t set receipt = jsonb_set(receipt::jsonb, '{values}', (receipt::jsonb -> 'values') - 0)::json
    where environment_id = $1 and receipt ->> 'template' is not null`;
  expect((await pool.query(shorten, [shop.id])).rowCount).toBeGreaterThan(1);
  expect(await counter.failedControls()).toEqual(['templates-of-receipts', 'parts-of-receipts']);
});

/** The controls that fail in an environment. */
async function failedIn(shop: Shop): Promise<string[]> {
  const client = await counter.database.adminPool.connect();
  try {
    const controls = await verifyLedger(client, shop.id);
    return controls.filter(({ passed }) => !passed).map(({ id }) => id);
  } finally {
    client.release();
  }
}

test.each([
  ['the points of campaigns', ',40,', ',41,', 2, ['templates-of-receipts']],
  ['the base points', ',7,', ',8,', 2, ['templates-of-receipts']],
  ['points to a text', ',40,', ',"40",', 2, ['templates-of-receipts']],
  [
    'the amount',
    '"amountMinor":70',
    '"amountMinor":80',
    3,
    ['orders-equal-transactions', 'campaign-awards-equal-purchases'],
  ],
])(
  'a receipt in which somebody has changed %s alone is found',
  async (_what, before, after, rows, controls) => {
    const campaign = { id: 'bonus', match: 'all' as const, conditions: [], award: { bonusPoints: 40 } };
    const { shop } = await bought(program({ campaigns: [campaign] }));
    expect(await failedIn(shop)).toEqual([]);
    const { rowCount } = await counter.database.adminPool.query(
      `update transactions set receipt = regexp_replace(receipt::text, $2, $3)::json
     where environment_id = $1 and receipt::text ~ $2`,
      [shop.id, before, after],
    );
    expect(rowCount).toBeGreaterThanOrEqual(rows);
    expect(await failedIn(shop)).toEqual(controls);
  },
);

/** What a page shows of its purchases, the oldest first; and what was reported. */
async function shown({ id }: Shop) {
  const reported: string[] = [];
  const queries = createQueries(counter.database.adminPool, undefined, null, ({ message }) => {
    reported.push(message);
  });
  const page = await queries.transactions(
    id,
    {},
    { limit: 10, cursor: null },
    { entries: true, evaluation: true },
  );
  if (isRefusal(page)) throw new Error(page.message);
  const data = page.data.toReversed().filter(({ type }) => type === 'purchase');
  return { data, reported };
}

const TEMPLATE_CHANGED = `update receipt_templates set template = replace(template::text, '"=points"', '43')::json where environment_id = $1`;
const LAST =
  '(select id from transactions where environment_id = $1 order by created_at desc, id desc limit 1)';

test.each([
  ['its template is lost', 'delete from receipt_templates where environment_id = $1', [false, true, true]],
  [
    'its template was changed',
    'update receipt_templates set template = replace(template::text, ' +
      `'"=points"', '43')::json where environment_id = $1`,
    [false, true, true],
  ],
  [
    'it has a value less than its template has places',
    `update transactions set receipt = jsonb_set(receipt::jsonb, '{values}', (receipt::jsonb -> 'values') - 0)::json
      where environment_id = $1 and id = ${LAST}`,
    [false, false, true],
  ],
  [
    'it says other points than were posted',
    `update transactions set receipt = '{"award": {"points": 43}}' where environment_id = $1 and id = ${LAST}`,
    [false, false, true],
  ],
  [
    'it is empty',
    `update transactions set receipt = '{}' where environment_id = $1 and id = ${LAST}`,
    [false, false, true],
  ],
  ...['"x"', '5', '[]', '[1, 2]', '{"template": "x", "values": 1}'].map(
    (json): [string, string, boolean[]] => [
      `it was replaced by ${json}`,
      `update transactions set receipt = '${json}' where environment_id = $1 and id = ${LAST}`,
      [false, false, true],
    ],
  ),
  ...[`'{values}', '"x"'`, `'{values}', '[{}]'`].map((change): [string, string, boolean[]] => [
    `its values were changed: ${change}`,
    'update transactions set receipt = jsonb_set(receipt::jsonb, ' +
      `${change})::json where environment_id = $1 and id = ${LAST}`,
    [false, false, true],
  ]),
  ...[`'{lines}', '"x"'`, `'{ruleDecisions,0,reason}', '{}'`, `'{ruleDecisions,0,lines}', '[1]'`].map(
    (change): [string, string, boolean[]] => [
      `what it shows was changed: ${change}`,
      `update transactions set receipt = jsonb_set(receipt::jsonb, ${change})::json where environment_id = $1
         and id = (select id from transactions where environment_id = $1 order by created_at, id limit 1)`,
      [true, false, false],
    ],
  ),
] satisfies [string, string, boolean[]][])(
  'a receipt that cannot be read fails no page: %s',
  async (_why, damage, unreadable) => {
    // A program of its own, whose template no other test has made known to this process.
    const document = program({ earn: { rules: [rule(`base-${++programs}`)] } });
    const { shop } = await bought(document);
    const other = await bought(document);
    await counter.database.adminPool.query(damage, [shop.id]);
    // Nor does it end a check of the ledger.
    await counter.failedControls();
    const { data, reported } = await shown(shop);
    expect(data.map(({ evaluationUnreadable }) => evaluationUnreadable)).toEqual(unreadable);
    expect(data.map(({ evaluation }) => evaluation === null)).toEqual(unreadable);
    for (const { points, evaluation, entries } of data) {
      expect(entries[0]?.points).toBe(points);
      if (evaluation) expect(evaluation.award.points).toBe(points);
    }
    const damaged = data.filter(({ evaluationUnreadable }) => evaluationUnreadable);
    expect(reported.map((message) => /txn_\w+/.exec(message)?.[0])).toEqual(
      damaged.map(({ id }) => id).toReversed(),
    );
    // Environments share what a process remembers of templates.
    const { data: untouched } = await shown(other.shop);
    expect(untouched.map(({ evaluation, points }) => evaluation?.award.points === points)).toEqual([
      true,
      true,
      true,
    ]);
  },
);

test.each([
  ['template was changed', '1', TEMPLATE_CHANGED],
  ['template is lost', '1', 'delete from receipt_templates where environment_id = $1'],
  [
    'receipt is no object',
    '2',
    `update transactions set receipt = '5' where environment_id = $1 and id = ${LAST}`,
  ],
  [
    'receipt says other points than were posted',
    '0',
    `update transactions set receipt = jsonb_set(receipt::jsonb, '{award,points}', '43')::json
      where environment_id = $1 and receipt -> 'template' is null`,
  ],
])('a replay of a purchase whose %s is refused, and fails no other command', async (_what, index, damage) => {
  const { shop, answers } = await bought(program({ earn: { rules: [rule(`replayed-${++programs}`)] } }));
  await counter.database.adminPool.query(damage, [shop.id]);
  const batches: number[] = [];
  const other = counter.writer({ lanes: 1, onBatch: (commands) => batches.push(commands) });
  const idempotencyKey = `purchase-${index}`;
  const customer = index === '1' ? 'bob' : 'ann';
  const replay = { idempotencyKey, amountMinor: 700 + Number(index) };
  const outcomes = await Promise.all([
    other.submit(shop.earn(customer, replay)),
    other.submit(shop.earn(customer, { ...replay, amountMinor: 5 })),
    other.submit(shop.earn('ann', { idempotencyKey: 'another', amountMinor: 900 })),
  ]);
  expect(outcomes).toMatchObject([
    { code: 'receipt_unreadable' },
    { code: 'idempotency_key_reused' },
    { receipt: { award: { points: 9 } }, idempotent: false },
  ]);
  expect(batches).toEqual([3]);
  expect(answers.has(idempotencyKey)).toBe(true);
});

test('a receipt without its template is an error, and no half of an answer', () => {
  expect(() => wholeReceipt({ template: 'gone', award: { points: 1 } })).toThrow('its template gone is lost');
});
