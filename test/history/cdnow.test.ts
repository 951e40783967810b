import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { Random } from '../../simulator/random.ts';
import { operator } from '../../src/admin/shared/admin-change.ts';
import { settleProfile } from '../../src/commands/members/settle-profile.ts';
import { createPrisma } from '../../src/db/prisma.ts';
import { eraseMember } from '../../src/erasure/erase-member.ts';
import { toTypeId } from '../../src/ids.ts';
import { sealAudit } from '../../src/jobs/seal-audit.ts';
import type { Writer } from '../../src/ledger/batch/writer.ts';
import { rollUp } from '../../src/ledger/closed-days/roll-up.ts';
import { verifyAudit } from '../../src/queries/audit/verify-audit.ts';
import { findLedgerClose } from '../../src/queries/reports/ledger-close/find-ledger-close.ts';
import type { CloseReport } from '../../src/queries/reports/ledger-close/report.ts';
import { verifyCloseReport } from '../../src/queries/reports/ledger-close/verify-report.ts';
import { isRefusal } from '../../src/refusal.ts';
import { runCli } from '../support/cli/run-cli.ts';
import { searchDatabase } from '../support/erasure/search-database.ts';
import { each, Merchant, type Order } from '../support/history/merchant.ts';
import { Counter, type Shop } from '../support/ledger/counter.ts';
import { program, tier } from '../support/rules/fixtures.ts';
import { install, type TimeMachine } from '../support/time-machine.ts';
import { describeWhere } from '../support/where.ts';

// Eighteen months of real orders under a program whose points wait 14 days and live for 365: 5 percent of the orders go
// back, 20,000 rewards are redeemed, and the books of each month are closed.

const HISTORY = '../shared/data/cdnow.txt';
const DAY_MS = 86_400_000;
const REDEMPTIONS = 20_000;
/** Members that are erased at the end. */
const ERASED = process.env.FULL ? 1_000 : 10;
/** The orders end in June 1998; their last points have expired by the end of this one. */
const LAST_MONTH = Date.UTC(1999, 7);

describeWhere(existsSync(HISTORY), `no ${HISTORY}`)('eighteen months of real orders', () => {
  let counter: Counter;
  let shop: Shop;
  let writer: Writer;
  let time: TimeMachine;
  /** Each month's close as it was an hour after the month, before that was swept or rolled up. */
  const closes: CloseReport[] = [];
  const random = new Random(1997);
  let redeemed = 0;
  let returned = 0;

  beforeAll(async () => {
    counter = await Counter.open();
    time = await install(counter.database.adminUrl);
    await time.travelTo(new Date(Date.UTC(1996, 11, 31)));
    shop = await counter.environment();
    await shop.publish(
      program({
        id: 'record-club',
        pending: { days: 14 },
        expiration: { policy: 'rolling_days', days: 365 },
        tiers: [tier('member', 0, 1), tier('fan', 200, 5, 4), tier('collector', 1_000, 3, 2)],
        rewards: [
          { id: 'single', name: 'A single', points: 5 },
          { id: 'album', name: 'An album', points: 15 },
        ],
      }),
      new Date(Date.UTC(1996, 0)),
    );
    writer = counter.writer();
    await live(orders());
  }, 900_000);
  afterAll(() => counter?.close());

  async function live(all: readonly Order[]): Promise<void> {
    const merchant = new Merchant(shop, writer);
    const customers = new Set<string>();
    for (let from = Date.UTC(1997, 0); from <= LAST_MONTH; ) {
      const start = new Date(from);
      const to = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1);
      const sold = all.filter(({ at }) => at.getTime() >= from && at.getTime() < to);
      await time.travelTo(new Date(to - DAY_MS / 2));
      await merchant.sell(sold);
      for (const { customer } of sold) customers.add(customer);
      const returns = sold
        .filter(({ amountMinor }) => amountMinor > 0 && random.chance(0.05))
        .map((order) => ({ order, amountMinor: random.between(1, order.amountMinor) }));
      await merchant.takeBack(returns);
      returned += returns.length;
      await redeem(merchant, [...customers], Math.min(REDEMPTIONS - redeemed, REDEMPTIONS / 16));
      await time.travelTo(new Date(to + DAY_MS / 24));
      closes.push(await closeOf({ from: start, to: new Date(to) }));
      await sweep();
      await rollUp(counter.database.adminPool, shop.id);
      from = to;
    }
  }

  /** Chosen customers often have too few points: others are asked then. */
  async function redeem(merchant: Merchant, customers: readonly string[], wanted: number): Promise<void> {
    let left = wanted;
    for (let tries = 0; left > 0 && tries < 8; tries += 1) {
      const chosen = Array.from({ length: left }, () => random.pick(customers));
      left -= await merchant.redeem(chosen, random.pick(['single', 'album']));
    }
    redeemed += wanted - left;
  }

  async function sweep(): Promise<void> {
    const { rows } = await counter.database.adminPool.query<{ customer: string }>(
      `select m.external_customer_id as customer from program_profiles p
        join members m on m.environment_id = p.environment_id and m.id = p.member_id
        where p.environment_id = $1 and p.next_due_at <= clock_timestamp()`,
      [shop.id],
    );
    await each(rows, ({ customer }) =>
      writer.submit(
        settleProfile({
          environmentId: shop.id,
          programId: 'record-club',
          externalCustomerId: customer,
          requestId: 'req_history',
        }),
      ),
    );
  }

  test('every order, return and redemption is there', async () => {
    const { rows } = await counter.database.adminPool.query<{ event_type: string; count: number }>(
      `select event_type, count(*)::integer as count from transactions where environment_id = $1
        group by event_type`,
      [shop.id],
    );
    const counts = Object.fromEntries(rows.map((row) => [row.event_type, row.count]));
    expect(counts).toMatchObject({
      'purchase.completed': orders().length,
      'order.returned': returned,
      'redemption.committed': REDEMPTIONS,
    });
    expect(counts['points.activated']).toBeGreaterThan(10_000);
    expect(counts['points.expired']).toBeGreaterThan(1_000);
  });

  test('the books of each month begin where those of the month before ended', () => {
    closes.forEach((close, index) => {
      expect(close.controls.filter((control) => !control.passed)).toEqual([]);
      const before = closes[index - 1];
      if (before) expect(side(close, 'opening')).toEqual(side(before, 'closing'));
    });
    expect(closes.at(-1)?.totals.accounts).toContainEqual(
      expect.objectContaining({ account: 'member.available', closing: '0' }),
    );
  });

  test('and say what plain sums over the postings say', async () => {
    const { rows } = await counter.database.adminPool.query<MonthRow>(
      `select to_char(created_at at time zone 'UTC', 'YYYY-MM') as month, account,
          sum(debit)::text as debits, sum(credit)::text as credits
        from postings cross join lateral (values (debit_account, amount, 0), (credit_account, 0, amount))
          as side (account, debit, credit)
        where environment_id = $1
        group by 1, 2 order by 1, 2`,
      [shop.id],
    );
    const found = closes.flatMap((close) =>
      close.totals.accounts
        .filter(({ debits, credits }) => debits !== '0' || credits !== '0')
        .map(({ account, debits, credits }) => ({
          month: close.period.from.slice(0, 7),
          account,
          debits,
          credits,
        })),
    );
    const sorted = found.sort((x, y) => (`${x.month} ${x.account}` < `${y.month} ${y.account}` ? -1 : 1));
    expect(sorted).toEqual(rows);
  }, 300_000);

  test('and what other programs read in an export of all postings', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cdnow-export-'));
    const rewards = async (...args: string[]): Promise<void> => {
      expect(await runCli(counter.database.adminUrl, args)).toMatchObject({ exitCode: 0 });
    };
    const period = ['-e', toTypeId('env', shop.id), '--from', '1997-01-01', '--to', '1999-09-01'];
    const saved = closes.flatMap((close, index) => {
      const file = join(folder, `close-${index}.json`);
      writeFileSync(file, JSON.stringify(close));
      return ['--close', file];
    });
    const [days, whole] = [join(folder, 'days'), join(folder, 'postings.parquet')];
    await rewards('export', 'postings', ...period, '--format', 'csv', '--out', days);
    await rewards('export', 'postings', ...period, '--format', 'parquet', '--out', whole);
    for (const out of [days, whole]) await rewards('verify', 'export', out, ...saved);
    const expected = sidesOf(closes);
    expect(await sidesByAwk(days)).toEqual(expected);
    expect(await sidesInParquet(whole)).toEqual(expected);
    rmSync(folder, { recursive: true });
  }, 600_000);

  test('members are erased: the ledger and the audit trail are right, and all months close as they did at once', async () => {
    const { adminPool } = counter.database;
    const customers = [...new Set(orders().map(({ customer }) => customer))];
    const forgotten = Array.from({ length: ERASED }, (_, index) => customers[index * 23] ?? '');
    await each(forgotten, (customer) =>
      writer.submit(shop.update(customer, { displayName: `${customer}, by name` })),
    );
    await sealAudit(adminPool);
    const administrator = { prisma: createPrisma(adminPool), actor: operator('eve') };
    for (const externalCustomerId of forgotten) {
      const erased = await eraseMember(
        { administrator, pool: adminPool, door: writer },
        { environmentId: shop.id, externalCustomerId, reason: 'asked for it', forfeit: true },
      );
      expect(isRefusal(erased)).toBe(false);
    }
    await administrator.prisma.$disconnect();
    expect(await searchDatabase(adminPool, forgotten)).toEqual([]);
    expect(await counter.failedControls()).toEqual([]);
    await sealAudit(adminPool);
    const client = await adminPool.connect();
    const verdict = await verifyAudit(client, shop.id).finally(() => client.release());
    expect(verdict.breaks).toEqual([]);
    expect(verdict.checked).toBeGreaterThan(200_000);
    // By now sweeps, closed days, later months and the erasures have come after each of them.
    for (const report of closes) {
      expect(verifyCloseReport(report)).toEqual([]);
      const period = { from: new Date(report.period.from), to: new Date(report.period.to) };
      expect(await closeOf(period)).toEqual(report);
    }
  }, 7_200_000);

  async function closeOf(period: { from: Date; to: Date }): Promise<CloseReport> {
    const report = await findLedgerClose(counter.database.adminPool, shop.id, {
      programId: 'record-club',
      ...period,
    });
    if (isRefusal(report)) throw new Error(report.message);
    return report;
  }
});

interface MonthRow {
  month: string;
  account: string;
  debits: string;
  credits: string;
}

/** Lines `month account debits credits` of every account with movement, sorted. */
function sidesOf(closes: readonly CloseReport[]): string[] {
  return closes
    .flatMap(({ period, totals }) =>
      totals.accounts
        .filter(({ debits, credits }) => debits !== '0' || credits !== '0')
        .map(({ account, debits, credits }) => `${period.from.slice(0, 7)} ${account} ${debits} ${credits}`),
    )
    .sort();
}

/** The columns are those of `rewards export postings --help`: created_at is the third, points the ninth. */
const AWK = `
  FNR > 1 {
    month = substr($3, 1, 7); of[month " " $7]; of[month " " $8]
    debits[month " " $7] += $9; credits[month " " $8] += $9
  }
  END { for (one in of) printf "%s %.0f %.0f\\n", one, debits[one], credits[one] }`;

async function sidesByAwk(folder: string): Promise<string[]> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.csv'));
  const { stdout } = await promisify(execFile)('awk', ['-F,', AWK, ...files], { cwd: folder });
  return stdout.trim().split('\n').sort();
}

async function sidesInParquet(path: string): Promise<string[]> {
  const sides = new Map<string, [debits: bigint, credits: bigint]>();
  const file = await asyncBufferFromFile(path);
  const columns = ['created_at', 'debit_account', 'credit_account', 'points'];
  for (const row of await parquetReadObjects({ file, columns })) {
    const month = (row.created_at as Date).toISOString().slice(0, 7);
    for (const [place, account] of [row.debit_account, row.credit_account].entries()) {
      const key = `${month} ${account}`;
      const sums = sides.get(key) ?? [0n, 0n];
      sums[place as 0 | 1] += row.points as bigint;
      sides.set(key, sums);
    }
  }
  return [...sides].map(([key, sums]) => `${key} ${sums.join(' ')}`).sort();
}

function side({ totals }: CloseReport, of: 'opening' | 'closing'): Record<string, string> {
  return Object.fromEntries(totals.accounts.map((total) => [total.account, total[of]]));
}

function orders(): Order[] {
  return readFileSync(HISTORY, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line, index) => {
      const [customer = '', date = '', , dollars = ''] = line.trim().split(/\s+/);
      const [year, month, day] = [date.slice(0, 4), date.slice(4, 6), date.slice(6)];
      return {
        customer: `listener-${customer}`,
        reference: `cdnow-${index + 2}`,
        at: new Date(`${year}-${month}-${day}`),
        amountMinor: Number(dollars.replace('.', '')),
      };
    })
    .sort((a, b) => a.at.getTime() - b.at.getTime());
}
