import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createPool, type Pool } from '../../src/db/pool.ts';
import { validateInput } from '../../src/graphql/schema/validate-input.ts';
import { readCsvRows } from '../../src/import/csv-rows.ts';
import { type ImportProgress, importRows, newProgress } from '../../src/import/import-rows.ts';
import { PURCHASE_FILE } from '../../src/import/purchase-columns.ts';
import { purchaseRows } from '../../src/import/purchases.ts';
import type { WriterOptions } from '../../src/ledger/batch/writer.ts';
import { verifyLedger } from '../../src/ledger/controls/verify.ts';
import { receiptSql, templateSql, wholeReceipt } from '../../src/ledger/receipts/stored-receipt.ts';
import type { ProgramDocument } from '../../src/programs/document/program-document.ts';
import { parseProgram } from '../../src/programs/parse/parse-program.ts';
import type { PurchaseReceipt } from '../../src/queries/transactions/recorded-award.ts';
import { Counter, type Shop } from '../support/ledger/counter.ts';
import { install } from '../support/time-machine.ts';
import { describeWhere } from '../support/where.ts';

// One file of real orders under the demo's program, into two environments: with batches and eight lanes, and strictly
// one command after the other. What members share (a campaign's cap, a coupon's uses) goes to whoever comes first, so
// that it need not go to the same orders; everything else is the same, order by order, and so are the totals.
//
// `FULL=1 npm test -- test/history/two-imports` takes the whole file, all 69,659 orders: a few minutes of
// processor time, and some twenty minutes on the clock on a busy machine.

const HISTORY = '../shared/data/cdnow.txt';
const FULL = process.env.FULL === '1';
/** Those of the file's first 3,000 lines already meet every kind of decision, and use up what is shared. */
const ORDERS = FULL ? 69_659 : 3_000;
/** For one test; both imports are made before the first. */
const TIMEOUT_MS = FULL ? 600_000 : 60_000;
const SHARED = { basketPoints: 5_000, couponUses: 200 };

interface Imported {
  shop: Shop;
  progress: ImportProgress;
  /** As JSON, by order reference: what twice the whole file comes to as objects would not fit into memory. */
  receipts: Map<string, string>;
}

describeWhere(existsSync(HISTORY), `no ${HISTORY}`)('two imports of one file', () => {
  let counter: Counter;
  let batched: Imported;
  let sequential: Imported;
  /** Reads all there is, however long that takes. */
  let reader: Pool;

  beforeAll(async () => {
    counter = await Counter.open();
    reader = createPool({ url: counter.database.adminUrl, size: 1, statementTimeoutMs: 0 });
    const time = await install(counter.database.adminUrl);
    // The Wednesday of the anniversary week, at three in the afternoon in New York: every campaign is open.
    await time.travelTo(new Date('2027-05-05T19:00:00Z'));
    const folder = mkdtempSync(join(tmpdir(), 'two-imports-'));
    const file = join(folder, 'orders.csv');
    writeFileSync(file, csvOfOrders());
    batched = await importInto(file, { lanes: 8 }, 1_000);
    sequential = await importInto(file, { lanes: 1, maxBatch: 1 }, 1);
    rmSync(folder, { recursive: true });
  }, 10 * TIMEOUT_MS);
  afterAll(async () => {
    await reader?.end();
    await counter?.close();
  });

  async function importInto(
    file: string,
    options: Partial<WriterOptions>,
    maxInFlight: number,
  ): Promise<Imported> {
    const shop = await counter.environment();
    await shop.publish(demoProgram(), new Date(Date.UTC(1996, 0)));
    const progress = newProgress();
    const { pool: _pool, catalog: _catalog, ...others } = options;
    const writer = { ...others, maxQueuedMs: Number.POSITIVE_INFINITY };
    await importRows(
      readCsvRows(file, PURCHASE_FILE.columns, PURCHASE_FILE.required),
      purchaseRows(
        {
          door: counter.writer(writer),
          caller: shop.caller,
          defaults: { programId: 'coffee-club', channel: 'web', currency: 'USD', atEventTime: null },
          enroll: { noticeVersion: 'import-1' },
          validate: validateInput,
        },
        progress,
      ),
      {
        maxInFlight,
        onRejected: (row) => {
          throw new Error(`line ${row.line}: ${row.message}`);
        },
        signal: new AbortController().signal,
      },
      progress,
    );
    const { rows } = await reader.query<{ reference: string; receipt: object }>(
      `select t.source_reference as reference, ${receiptSql('t')} as receipt from transactions t ${templateSql('t')}
        where t.environment_id = $1 and t.event_type = 'purchase.completed'`,
      [shop.id],
    );
    const receipts = new Map(
      rows.map(({ reference, receipt }) => [reference, JSON.stringify(wholeReceipt(receipt))]),
    );
    return { shop, progress, receipts };
  }

  test('every order is there, twice', () => {
    for (const { progress, receipts } of [batched, sequential]) {
      expect(progress).toMatchObject({ done: ORDERS, committed: ORDERS, rejected: 0 });
      expect(receipts.size).toBe(ORDERS);
    }
    expect(batched.progress.membersCreated).toBe(sequential.progress.membersCreated);
  });

  test(
    'the awards are the same, order by order, but for what members share',
    () => {
      let uninvolved = 0;
      for (const [reference, text] of sequential.receipts) {
        const receipt = receiptOf(text);
        const other = receiptOf(batched.receipts.get(reference) ?? 'null');
        expect({ reference, ...ofOneMember(receipt) }).toEqual({
          reference,
          ...(other && ofOneMember(other)),
        });
        if (isInvolved(receipt)) continue;
        uninvolved += 1;
        expect(other?.award).toEqual(receipt.award);
      }
      // Were nearly all of them involved in a shared cap, nothing much would be compared.
      expect(uninvolved).toBeGreaterThan(ORDERS / 2);
    },
    TIMEOUT_MS,
  );

  test(
    'what is shared is given to the last point, in both',
    async () => {
      for (const { shop, receipts } of [batched, sequential]) {
        let points = 0;
        let coupons = 0;
        for (const text of receipts.values()) {
          const receipt = receiptOf(text);
          points += sharedPoints(receipt);
          if (receipt.coupon?.redeemed) coupons += 1;
        }
        const { rows } = await reader.query<{ counter_id: string; taken: number }>(
          'select counter_id, taken from shared_counters where environment_id = $1 order by counter_id',
          [shop.id],
        );
        expect(rows).toEqual([
          { counter_id: 'campaign:big-basket', taken: SHARED.basketPoints },
          { counter_id: 'coupon:COFFEE50', taken: SHARED.couponUses },
        ]);
        expect(points).toBe(SHARED.basketPoints);
        expect(coupons).toBe(SHARED.couponUses);
      }
      expect(batched.progress.committedPoints).toBe(sequential.progress.committedPoints);
    },
    TIMEOUT_MS,
  );

  test(
    'every kind of decision was made, and the members stand where they stood',
    async () => {
      const decided = new Set<string>();
      for (const text of batched.receipts.values()) {
        for (const { kind, id, matched } of receiptOf(text).ruleDecisions) {
          if (matched) decided.add(`${kind} ${id}`);
        }
      }
      expect([...decided]).toEqual(
        expect.arrayContaining([
          ...[
            'earn_rule gift-cards',
            'earn_rule beans-in-the-app',
            'earn_rule base',
            'tier bronze',
            'tier silver',
          ],
          ...['campaign anniversary', 'campaign regulars-in-the-store', 'campaign big-basket'],
          ...['campaign_cap big-basket.total', 'coupon COFFEE50'],
        ]),
      );
      expect(await standings(batched)).toEqual(await standings(sequential));
      const client = await reader.connect();
      const controls = await verifyLedger(client).finally(() => client.release());
      expect(controls.filter(({ passed }) => !passed)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  async function standings({ shop }: Imported): Promise<unknown[]> {
    const { rows } = await reader.query(
      `select m.external_customer_id, p.tier, p.qualification_points, p.purchase_count, p.purchase_amount_minor,
          p.first_purchase_at, p.last_purchase_at
        from program_profiles p join members m on m.environment_id = p.environment_id and m.id = p.member_id
        where p.environment_id = $1 order by m.external_customer_id`,
      [shop.id],
    );
    return rows;
  }
});

function receiptOf(text: string): PurchaseReceipt {
  return JSON.parse(text) as PurchaseReceipt;
}

/** A receipt without what other members have a part in, and without ids and times. */
function ofOneMember({ award, campaigns, ruleDecisions, evidence }: PurchaseReceipt): object {
  const { capsUsed, couponUsed: _uses, profile, ...known } = evidence;
  // The limit is never reached; what counts against it includes what was shared.
  const { limitUsed: _points, ...standing } = profile;
  return {
    basePoints: award.basePoints,
    campaigns: campaigns.filter(({ campaignId }) => campaignId !== 'big-basket'),
    ruleDecisions: ruleDecisions.filter(({ kind, id }) => kind !== 'coupon' && !id.startsWith('big-basket')),
    evidence: { ...known, profile: standing },
    capsUsed: (capsUsed ?? []).filter(({ campaignId }) => campaignId !== 'big-basket'),
  };
}

/** Whether what members share had a part in it, be it that nothing was left. */
function isInvolved({ coupon, ruleDecisions }: PurchaseReceipt): boolean {
  return coupon !== null || ruleDecisions.some(({ id, matched }) => matched && id === 'big-basket');
}

/** Points under the cap that all members share. */
function sharedPoints({ campaigns }: PurchaseReceipt): number {
  return campaigns.find(({ campaignId }) => campaignId === 'big-basket')?.points ?? 0;
}

/** The demo's program; what members share is cut down, so that it is used up long before the file ends. */
function demoProgram(): ProgramDocument {
  const text = readFileSync('demo/coffee-club.yaml', 'utf8')
    .replace('totalPoints: 100000', `totalPoints: ${SHARED.basketPoints}`)
    .replace('total: 10000', `total: ${SHARED.couponUses}`);
  const parsed = parseProgram(text);
  if (!parsed.ok) throw new Error('demo/coffee-club.yaml is not valid');
  return parsed.document;
}

/**
 * The first orders of the history by customer (all of them are in the whole file), in the order of their dates; what
 * they lack is made up by their line.
 */
function csvOfOrders(): string {
  const rows = readFileSync(HISTORY, 'utf8')
    .trim()
    .split('\n')
    .slice(1, ORDERS + 1)
    .map((line, index) => {
      const [customer = '', date = '', , dollars = ''] = line.trim().split(/\s+/);
      const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
      const channel = ['store', 'app', 'store', 'web'][index % 4];
      const category = { 3: 'anniversary-blend', 5: 'beans', 8: 'gift-card' }[index % 20];
      const items = category ? `"[{""category"":""${category}"",""quantity"":1,""unitPriceMinor"":1}]"` : '';
      const coupon = index % 9 === 0 ? 'COFFEE50' : '';
      const amount = Number(dollars.replace('.', ''));
      return { day, row: [customer, `cdnow-${index + 2}`, amount, day, channel, coupon, items].join(',') };
    })
    .sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
  const header = 'external_customer_id,source_reference,amount_minor,occurred_at,channel,coupon_code,items';
  return `${[header, ...rows.map(({ row }) => row)].join('\n')}\n`;
}
