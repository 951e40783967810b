import { expect, test } from '@jest/globals';
import { purchaseEarn } from '../../../src/commands/earning/purchase-earn.ts';
import { fromTypeId, newUuid } from '../../../src/ids.ts';
import { type Control, verifyLedger } from '../../../src/ledger/controls/verify.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { receiptOf } from '../../support/commands/desk.ts';
import type { Shop } from '../../support/ledger/counter.ts';
import { storeReceiptsWhole } from '../../support/ledger/store-receipts-whole.ts';
import { useCounter, useWriter } from '../../support/ledger/use-counter.ts';
import { program, rule } from '../../support/rules/fixtures.ts';

const counter = useCounter();
const writer = useWriter(counter);

/** A program whose receipts have every part that is stored under its name, but a referral. */
const DOCUMENT: ProgramDocument = program({
  memberLimit: { points: 100_000, period: 'month', onExceed: 'trim' },
  earn: {
    rules: [
      {
        ...rule('gift', [], { rateNumerator: 0 }),
        lines: {
          match: 'all',
          conditions: [{ field: 'items.category', operator: 'equals', value: 'gift-card' }],
        },
      },
      rule('base'),
    ],
  },
  campaigns: [
    {
      id: 'spring',
      match: 'all',
      conditions: [],
      award: { bonusPoints: 40 },
      stacking: 'stack',
      caps: { totalPoints: 10_000, memberPoints: 5_000 },
    },
  ],
  coupons: [{ code: 'TEN', award: { bonusPoints: 10 }, limits: { total: 100, perMember: 50 } }],
});

/** Three purchases under the second version of a program; the last two share a template. */
async function bought(): Promise<{ shop: Shop; last: string }> {
  const shop = await counter.environment(program(), DOCUMENT);
  await shop.addMembers(writer, ['ann', 'bob']);
  let last = '';
  for (const [index, externalCustomerId] of ['ann', 'bob', 'ann'].entries()) {
    const outcome = await writer.submit(
      purchaseEarn(
        {
          idempotencyKey: newUuid(),
          programId: 'coffee-club',
          externalCustomerId,
          amountMinor: 700 + index,
          channel: 'web',
          sourceReference: `order-${index}`,
          couponCode: 'TEN',
          context: { attributes: { note: 'web' } },
        },
        shop.caller,
      ),
    );
    last = fromTypeId('txn', receiptOf(outcome).id as string) ?? '';
  }
  return { shop, last };
}

async function controlsOf(shop: Shop): Promise<Control[]> {
  const client = await counter.database.adminPool.connect();
  try {
    return await verifyLedger(client, shop.id);
  } finally {
    client.release();
  }
}

/**
 * The same, on a database that does not support the statements which leave out what is damaged, as Citus does with
 * some.
 */
async function controlsWithoutLeavingOut(shop: Shop): Promise<Control[]> {
  const client = await counter.database.adminPool.connect();
  const notSupported = Object.assign(new Error('cannot push down this subquery'), { code: '0A000' });
  const citus = new Proxy(client, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name);
      return (text: string, values: unknown[]) =>
        text.includes('not_comparable') ? Promise.reject(notSupported) : target.query(text, values);
    },
  });
  try {
    return await verifyLedger(citus, shop.id);
  } finally {
    client.release();
  }
}

const failed = (controls: readonly Control[]): string[] =>
  controls.filter(({ passed }) => !passed).map(({ id }) => id);

/** Changes the receipt of a transaction. @param expression SQL of jsonb, from `receipt` */
async function damage(shop: Shop, id: string, expression: string): Promise<void> {
  const { rowCount } = await counter.database.adminPool.query(
    `update transactions set receipt = (select (${expression})::json from (select t.receipt::jsonb as receipt) r)
     from transactions t where t.environment_id = $1 and t.id = $2
       and transactions.environment_id = $1 and transactions.id = $2`,
    [shop.id, id],
  );
  expect(rowCount).toBe(1);
}

const without = (...names: string[]): [string, string][] =>
  names.map((name) => [`it has no ${name}`, `receipt - '${name}'`]);

test.each([
  ...without('lines', 'campaigns', 'coupon', 'configurationVersion', 'amountMinor', 'values'),
  ['its lines are null', `jsonb_set(receipt, '{lines}', 'null')`],
  ['it has the referral of another one', `receipt || '{"referral": {"code": "x"}}'`],
  ['it names a version that there is not', `jsonb_set(receipt, '{configurationVersion}', '3')`],
  ['it names the version before', `jsonb_set(receipt, '{configurationVersion}', '1')`],
  ['it names another customer', `replace(receipt::text, '"ann"', '"bob"')::jsonb`],
])('the control of parts names a receipt that shares a template, where %s', async (_why, expression) => {
  const { shop, last } = await bought();
  // A batch may still evaluate under the version before, for an hour after a publication.
  await counter.database.adminPool.query(
    `update program_versions set published_at = now() - interval '2 hours' where environment_id = $1`,
    [shop.id],
  );
  expect(failed(await controlsOf(shop))).toEqual([]);
  const { rows } = await counter.database.adminPool.query(
    `select receipt ->> 'template' as template from transactions where environment_id = $1 and id = $2`,
    [shop.id, last],
  );
  expect(rows).toEqual([{ template: expect.any(String) }]);
  await damage(shop, last, expression);
  const parts = (await controlsOf(shop)).find(({ id }) => id === 'parts-of-receipts');
  expect(parts).toMatchObject({ differences: 1, checked: 3, examples: [{ subject: `transaction ${last}` }] });
});

test.each([
  ...without('id', 'status', 'member', 'award', 'campaigns', 'evaluationMode', 'evaluationAt'),
  ...without('configurationVersion', 'loyaltyUnitPrecision', 'ruleDecisions'),
  ['it is empty', `'{}'`],
  ['it is null', `'null'`],
  ['it is a list', `'[]'`],
  ['it names a version that there is not', `jsonb_set(receipt, '{configurationVersion}', '3')`],
  ['it names another customer', `jsonb_set(receipt, '{member,externalCustomerId}', '"bob"')`],
  ['a decision is no decision', `jsonb_set(receipt, '{ruleDecisions,0}', '5')`],
])('the control of parts names a whole receipt, where %s', async (_why, expression) => {
  const { shop, last } = await bought();
  await storeReceiptsWhole(counter.database.adminPool, shop.id);
  expect(failed(await controlsOf(shop))).toEqual([]);
  await damage(shop, last, expression);
  const parts = (await controlsOf(shop)).find(({ id }) => id === 'parts-of-receipts');
  expect(parts).toMatchObject({ differences: 1, checked: 3, examples: [{ subject: `transaction ${last}` }] });
});

test.each([
  ['a text', `'"x"'`],
  ['a number', `'5'`],
  ['a list', `'[1]'`],
  ['campaigns that are a text', `jsonb_set(receipt, '{campaigns}', '"x"')`],
  ['campaigns that are no objects', `jsonb_set(receipt, '{campaigns}', '[1]')`],
  [
    'points of a campaign that are a text',
    `jsonb_set(receipt, '{campaigns}', '[{"campaignId":"spring","points":"x"}]')`,
  ],
  ['a version that is a text', `jsonb_set(receipt, '{configurationVersion}', '"x"')`],
  ['a version that no integer holds', `jsonb_set(receipt, '{configurationVersion}', '99999999999')`],
  ['an instant that is none', `jsonb_set(receipt, '{evaluationAt}', '"2026-02-30T00:00:00.000Z"', true)`],
  ['lines that are a text', `jsonb_set(receipt, '{lines}', '"x"')`],
  ['points of a line that are an object', `jsonb_set(receipt, '{lines}', '[{"points":{}}]')`],
  ['an amount that is a text', `jsonb_set(receipt, '{amountMinor}', '"x"')`],
])('a receipt with %s ends no control: each names it, and compares the others', async (_what, expression) => {
  const { shop, last } = await bought();
  const before = await controlsOf(shop);
  expect(failed(before)).toEqual([]);
  await damage(shop, last, expression);
  const controls = await controlsOf(shop);
  const examples = controls.flatMap((control) => control.examples);
  expect(examples.filter(({ subject }) => subject.startsWith('something stored'))).toEqual([]);
  expect(examples.map(({ subject }) => subject)).toContain(`transaction ${last}`);
  // Nothing but the one purchase is left out anywhere.
  for (const [index, { id, checked }] of controls.entries()) {
    expect([id, checked >= (before[index]?.checked ?? 0) - 1]).toEqual([id, true]);
  }
});

test('a template whose decisions are no list ends no control', async () => {
  const { shop } = await bought();
  await counter.database.adminPool.query(
    `update receipt_templates set template = jsonb_set(template::jsonb, '{ruleDecisions}', '5')::json
     where environment_id = $1`,
    [shop.id],
  );
  const controls = await controlsOf(shop);
  const examples = controls.flatMap((control) => control.examples);
  expect(examples.filter(({ subject }) => subject.startsWith('something stored'))).toEqual([]);
  expect(failed(controls)).toContain('templates-of-receipts');
});

/** Changes the text of receipts, whatever JSON it is. Values that jsonb does not take can be stored in no other way. */
async function replaceIn(table: string, shop: Shop, text: string, by: string, id?: string): Promise<void> {
  const column = table === 'receipt_templates' ? 'template' : 'receipt';
  const { rowCount } = await counter.database.adminPool.query(
    `update ${table} set ${column} = replace(${column}::text, $2, $3)::json
     where environment_id = $1 and ($4::uuid is null or id::text = $4::text) and strpos(${column}::text, $2) > 0`,
    [shop.id, text, by, id ?? null],
  );
  expect(rowCount).toBeGreaterThan(0);
}

const NO_TEXTS = [
  ['a zero byte', String.raw`\u0000`],
  ['a zero byte behind a backslash', String.raw`\\\u0000`],
  ['the first half of a character', String.raw`\ud83d`],
  ['the first half of a character, twice', String.raw`\ud83d\ud83d\ude00`],
  ['the second half of a character', String.raw`\uDE00`],
  ['halves in the wrong order', String.raw`\ude00\ud83d`],
] as const;

test.each([
  ...NO_TEXTS.map(([what, text]) => [what, text, false] as const),
  ['half a character', '\\ud83d', true],
] as const)(
  'a receipt with %s in it is named by each control, and the others are compared: %s, stored whole %s',
  async (_what, text, whole) => {
    const { shop, last } = await bought();
    if (whole) await storeReceiptsWhole(counter.database.adminPool, shop.id);
    // Texts that only look like it.
    await replaceIn('transactions', shop, '"web"', String.raw`"we\\u0000b \ud83d\ude00 \\ud83d"`);
    const before = await controlsOf(shop);
    expect(failed(before)).toEqual([]);
    await replaceIn('transactions', shop, '"we', `"we${text} `, last);
    const controls = await controlsOf(shop);
    expect(failed(controls)).toContain('parts-of-receipts');
    const examples = controls.flatMap((control) => control.examples).map(({ subject }) => subject);
    // Counters differ from the sums of the purchases that are left.
    expect(examples).toContain(`transaction ${last}`);
    expect(
      examples.filter(
        (subject) => /^(transaction|something stored) /.test(subject) && !subject.includes(last),
      ),
    ).toEqual([]);
    for (const [index, { id, checked }] of controls.entries()) {
      expect([id, checked >= (before[index]?.checked ?? 0) - 1]).toEqual([id, true]);
    }
  },
);

test('a template with half a character in it ends no control, and is named', async () => {
  const { shop } = await bought();
  await replaceIn('receipt_templates', shop, '"committed"', String.raw`"committed\ud83d"`);
  const examples = (await controlsOf(shop)).flatMap((control) => control.examples);
  expect(examples.filter(({ subject }) => subject.startsWith('something stored'))).toEqual([]);
  expect(examples.map(({ subject }) => subject)).toContainEqual(
    expect.stringMatching(`^template ${shop.id} `),
  );
});

test('a control whose other rows cannot be looked at has failed, says why, and ends none of the others', async () => {
  const { shop, last } = await bought();
  const all = await controlsOf(shop);
  await damage(shop, last, `jsonb_set(receipt, '{amountMinor}', '"much"')`);
  const found = await controlsWithoutLeavingOut(shop);
  expect(found.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  expect(failed(found)).toEqual(failed(await controlsOf(shop)));
  const unseen = found.filter(({ examples }) => examples[0]?.subject.startsWith('something stored'));
  expect(unseen.length).toBeGreaterThan(0);
  for (const { examples, differences, passed } of unseen) {
    expect({ differences, passed, examples: examples.length }).toEqual({
      differences: 1,
      passed: false,
      examples: 1,
    });
    expect(examples[0]?.subject).toMatch(/cannot be compared: invalid input syntax for type/);
  }
});
