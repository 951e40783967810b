import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Random } from '../../simulator/random.ts';
import { recordReturn } from '../../src/commands/returns/record-return.ts';
import type { Command } from '../../src/ledger/command.ts';
import type { ProgramDocument } from '../../src/programs/document/program-document.ts';
import { isRefusal } from '../../src/refusal.ts';
import type { SimulationReport } from '../../src/what-if/report.ts';
import { type SimulateOptions, simulateProgram } from '../../src/what-if/simulate-program.ts';
import { daysFrom } from '../support/commands/desk.ts';
import { fixture } from '../support/fixture.ts';
import type { Shop } from '../support/ledger/counter.ts';
import { useCounter, useWriter } from '../support/ledger/use-counter.ts';
import { program, tier } from '../support/rules/fixtures.ts';
import { install } from '../support/time-machine.ts';

// The law: the published document against itself changes nothing, under every option, over a history that was imported
// in one go, received as it happened, or both.

const HISTORY = '../shared/data/cdnow.txt';
const ORDERS = 200;
const imported = new Date('2027-03-01T00:00:00Z');
const live = new Date('2027-03-02T00:00:00Z');

/** Points that lapse soon, and limits and tiers that ask when a purchase was. */
const common: Partial<ProgramDocument> = {
  pending: { days: 5 },
  tiers: [tier('bronze', 0, 1), tier('silver', 40, 5, 4), tier('gold', 120, 3, 2)],
  qualification: { window: 'calendar_year' },
  memberLimit: { points: 60, period: 'month', onExceed: 'trim' },
  campaigns: [
    {
      id: 'first',
      match: 'all',
      conditions: [{ field: 'history.purchaseCount', operator: 'equals', value: 0 }],
      award: { bonusPoints: 9 },
      caps: { totalPoints: 800 },
    },
  ],
};
const documents: [string, ProgramDocument][] = [
  ['rolling days', program({ ...common, expiration: { policy: 'rolling_days', days: 45 } })],
  ['inactivity', program({ ...common, expiration: { policy: 'inactivity', days: 45 } })],
  ['a quarter', program({ ...common, expiration: { policy: 'end_of_period', period: 'quarter' } })],
];

interface Order {
  customer: string;
  at: Date;
  amountMinor: number;
}

/** Of 1997 and 1998: real ones, the first of the history where that is there. */
function pastOrders(random: Random): Order[] {
  if (existsSync(HISTORY)) {
    const lines = readFileSync(HISTORY, 'utf8').trim().split('\n').slice(1);
    return lines.slice(0, ORDERS).map((line) => {
      const [customer = '', date = '', , dollars = ''] = line.trim().split(/\s+/);
      const at = new Date(`${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`);
      return { customer, at, amountMinor: Number(dollars.replace('.', '')) };
    });
  }
  return Array.from({ length: ORDERS }, () => ({
    customer: `customer-${random.below(90)}`,
    at: daysFrom(new Date('1997-01-01T00:00:00Z'), random.below(540)),
    amountMinor: random.between(0, 9_000),
  }));
}

const counter = useCounter();
const time = fixture('the time machine', () => install(counter.database.adminUrl));
const writer = useWriter(counter);

async function run(command: Command): Promise<void> {
  const outcome = await writer.submit(command);
  if (isRefusal(outcome)) throw new Error(`${outcome.code}: ${outcome.message}`);
}

async function importAll(shop: Shop, orders: readonly Order[]): Promise<void> {
  await time.travelTo(imported);
  await shop.addMembers(writer, [...new Set(orders.map(({ customer }) => customer))]);
  for (const { customer, at, amountMinor } of orders) {
    await run(shop.earn(customer, { occurredAt: at.toISOString(), amountMinor }));
  }
}

/** Half a year of purchases and returns. */
async function receive(shop: Shop, random: Random): Promise<void> {
  await time.travelTo(live);
  const members = Array.from({ length: 9 }, (_, index) => `regular-${index}`);
  await shop.addMembers(writer, members);
  for (let step = 0; step < 90; step += 1) {
    await time.travelTo(daysFrom(live, step * 2 + 1));
    const customer = random.pick(members);
    const reference = `live-${step}`;
    await run(shop.earn(customer, { amountMinor: random.between(100, 9_000), sourceReference: reference }));
    if (!random.chance(0.15)) continue;
    const input = { sourceReference: reference, returnReference: `return-${step}`, returnAmountMinor: 90 };
    const owner = { programId: 'coffee-club', externalCustomerId: customer, points: 0, rewardId: null };
    const returned = recordReturn({ idempotencyKey: `return-${step}`, ...input }, owner, shop.caller);
    if (isRefusal(returned)) throw new Error(returned.code);
    await run(returned);
  }
}

async function simulate(shop: Shop, options: Omit<SimulateOptions, 'environmentId' | 'top' | 'onProgress'>) {
  const client = await counter.database.adminPool.connect();
  try {
    const rest = { environmentId: shop.id, top: 3, onProgress: () => undefined };
    return await simulateProgram(client, { ...rest, ...options });
  } finally {
    client.release();
  }
}

/** Everything in which the two columns of a report differ. */
function differencesOf(report: SimulationReport): unknown[] {
  const { points, liability, sources, tiers, months, members } = report;
  const { expired, open, pending } = liability;
  const changes = Object.entries({ ...points, expired, open, pending });
  return [
    ...changes.filter(([, { difference }]) => difference !== '0'),
    ...[...sources, ...tiers, ...months].filter(
      ({ difference, countNow, countDraft }) => difference !== '0' || countNow !== countDraft,
    ),
    ...[...members.topWinners, ...members.topLosers],
  ];
}

const options = (['receipt', 'event'] as const).flatMap((clock) =>
  [null, new Date('1997-03-01T00:00:00Z'), new Date('2027-04-15T00:00:00Z')].flatMap((from) =>
    [null, new Date('1997-06-01T00:00:00Z'), new Date('2027-06-01T00:00:00Z')]
      .filter((to) => !from || !to || from < to)
      .map((to) => ({ clock, from, to })),
  ),
);

describe.each(documents)('the published document against itself changes nothing: %s', (_name, document) => {
  test.each(['imported', 'received live', 'mixed'])(
    'over a history that was %s',
    async (kind) => {
      const random = new Random(16);
      await time.travelTo(daysFrom(imported, -1));
      const shop = await counter.environment(document);
      if (kind !== 'received live') await importAll(shop, pastOrders(random));
      if (kind !== 'imported') await receive(shop, random);
      await time.travelTo(daysFrom(live, 200));
      const reached = new Set<string>();
      for (const option of options) {
        const report = await simulate(shop, { draft: document, ...option });
        expect([option, ...differencesOf(report)]).toEqual([option]);
        for (const { id, now } of report.sources) if (now !== '0') reached.add(id);
        if (report.liability.expired.now !== '0') reached.add('expired');
      }
      expect([...reached]).toEqual(expect.arrayContaining(['base', 'first', 'silver', 'expired']));
    },
    180_000,
  );
});
