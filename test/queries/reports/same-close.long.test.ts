import { expect, test } from '@jest/globals';
import { Random } from '../../../simulator/random.ts';
import { settleProfile } from '../../../src/commands/members/settle-profile.ts';
import { unenrollMember } from '../../../src/commands/members/unenroll-member.ts';
import { commitRedemption } from '../../../src/commands/redemptions/commit-redemption.ts';
import { quoteRedemption } from '../../../src/commands/redemptions/quote-redemption.ts';
import { releaseRedemption } from '../../../src/commands/redemptions/release-redemption.ts';
import { reserveRedemption } from '../../../src/commands/redemptions/reserve-redemption.ts';
import { reverseRedemption } from '../../../src/commands/redemptions/reverse-redemption.ts';
import { recordReturn } from '../../../src/commands/returns/record-return.ts';
import { fromTypeId } from '../../../src/ids.ts';
import type { Writer } from '../../../src/ledger/batch/writer.ts';
import { rollUp } from '../../../src/ledger/closed-days/roll-up.ts';
import type { Command } from '../../../src/ledger/command.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { findLedgerClose } from '../../../src/queries/reports/ledger-close/find-ledger-close.ts';
import type { CloseReport } from '../../../src/queries/reports/ledger-close/report.ts';
import { isRefusal, type Refusal } from '../../../src/refusal.ts';
import { fixture } from '../../support/fixture.ts';
import type { Shop } from '../../support/ledger/counter.ts';
import { useCounter } from '../../support/ledger/use-counter.ts';
import { program } from '../../support/rules/fixtures.ts';
import { install } from '../../support/time-machine.ts';

// The law: a close of a period that is over is the same whenever it is asked for. Random histories through the
// service's own commands, under a clock that moves on: each period is closed right after its end, and again after all
// that comes later: postings, expiries, forfeits, moved expiry dates, publications, approvals and roll-ups.

const DAY_MS = 86_400_000;
const STEPS = 100;

const counter = useCounter({ twins: true });
const time = fixture('the time machine', () => install(counter.database.adminUrl));

/** A version with a life of points of its own, short enough for points to lapse and to be given more time. */
function version(random: Random): ProgramDocument {
  const share = (numerator: number) => ({ numerator, denominator: 100 });
  return program({
    ...(random.chance(0.5) ? { pending: { days: random.between(1, 9) } } : {}),
    expiration: random.pick([
      { policy: 'rolling_days', days: 40 },
      { policy: 'inactivity', days: 25 },
      { policy: 'end_of_period', period: 'month', offsetDays: 20 },
    ]),
    graceDays: random.pick([0, 45, 70]),
    rewards: [{ id: 'mug', name: 'A mug', points: 30, holdSeconds: (20 * DAY_MS) / 1000 }],
    finance: {
      valuation: { amountMinor: { numerator: random.between(1, 9), denominator: 7 } },
      breakage: {
        rate: share(random.between(0, 50)),
        byMonthsToExpiry: [
          { upTo: 1, rate: share(80) },
          { upTo: 2, rate: share(60) },
        ],
      },
    },
    journal: { accounts: { liability: 'L', expense: `E${random.between(1, 3)}` } },
  });
}

/** Customers of one shop, who do something at random. */
class Town {
  readonly #shop: Shop;
  readonly #writer: Writer;
  readonly #random: Random;
  readonly #members: string[];
  readonly #held: { id: string; customer: string; committed: boolean }[] = [];
  readonly #orders: { reference: string; customer: string }[] = [];
  #keys = 0;

  constructor(shop: Shop, writer: Writer, random: Random) {
    this.#shop = shop;
    this.#writer = writer;
    this.#random = random;
    this.#members = Array.from({ length: 6 }, (_, index) => `member-${index}`);
  }

  async open(): Promise<void> {
    await this.#shop.addMembers(this.#writer, this.#members);
  }

  async step(): Promise<void> {
    const customer = this.#random.pick(this.#members);
    const about = { programId: 'coffee-club', externalCustomerId: customer };
    switch (this.#random.below(10)) {
      case 0:
      case 1:
      case 2:
        return this.#buy(customer);
      case 3:
      case 4:
        return this.#hold(customer);
      case 5:
      case 6:
        return this.#endHold();
      case 7:
        return this.#takeBack();
      case 8:
        return void (await this.#submit(
          settleProfile({ environmentId: this.#shop.id, ...about, requestId: 'r' }),
        ));
      default: {
        if (!this.#random.chance(0.3)) return;
        const left = { ...about, noticeVersion: '1', evidence: { source: 'test' }, reason: 'test' };
        await this.#submit(unenrollMember({ idempotencyKey: this.#key(), ...left }, this.#shop.caller));
        await this.#submit(this.#shop.enroll(customer, this.#key()));
      }
    }
  }

  async #buy(customer: string): Promise<void> {
    const reference = `order-${this.#key()}`;
    const amountMinor = this.#random.between(100, 9_000);
    await this.#submit(this.#shop.earn(customer, { amountMinor, sourceReference: reference }));
    this.#orders.push({ reference, customer });
  }

  async #hold(customer: string): Promise<void> {
    const about = { programId: 'coffee-club', externalCustomerId: customer };
    const { caller } = this.#shop;
    const asked = { idempotencyKey: this.#key(), ...about, sourceReference: 'basket', rewardId: 'mug' };
    const quoted = (await this.#submit(quoteRedemption(asked, caller))) as { quote: { id: string } } | null;
    if (!quoted) return;
    const named = { ...about, points: 30, rewardId: 'mug', id: fromTypeId('quo', quoted.quote.id) ?? '' };
    const reserve = reserveRedemption(
      { idempotencyKey: this.#key(), quoteId: quoted.quote.id },
      named,
      caller,
    );
    const reserved = (await this.#submit(reserve)) as { reservation: { id: string } } | null;
    if (reserved) this.#held.push({ id: reserved.reservation.id, customer, committed: false });
  }

  async #endHold(): Promise<void> {
    if (this.#held.length === 0) return;
    const hold = this.#random.pick(this.#held);
    const { caller } = this.#shop;
    const about = { programId: 'coffee-club', externalCustomerId: hold.customer };
    const named = { ...about, points: 30, rewardId: 'mug', id: fromTypeId('rsv', hold.id) ?? '' };
    const input = { idempotencyKey: this.#key(), reservationId: hold.id };
    if (hold.committed) {
      const evidence = { cancellationEvidence: { source: 'test' }, reason: 'test' };
      await this.#submit(reverseRedemption({ ...input, ...evidence }, named, caller));
    } else if (this.#random.chance(0.5)) {
      await this.#submit(releaseRedemption({ ...input, reason: 'test' }, named, caller));
    } else {
      await this.#submit(commitRedemption({ ...input, authorizationReference: 'paid' }, named, caller));
      hold.committed = true;
    }
  }

  async #takeBack(): Promise<void> {
    if (this.#orders.length === 0) return;
    const { reference, customer } = this.#random.pick(this.#orders);
    const owner = { programId: 'coffee-club', externalCustomerId: customer, points: 0, rewardId: null };
    const returned = {
      sourceReference: reference,
      returnReference: `return-${this.#key()}`,
      returnAmountMinor: 90,
    };
    await this.#submit(recordReturn({ idempotencyKey: this.#key(), ...returned }, owner, this.#shop.caller));
  }

  /** Most are refused at times: too few points, a hold that has ended. @returns the receipt, or null */
  async #submit(command: Command | Refusal): Promise<object | null> {
    const outcome = isRefusal(command) ? command : await this.#writer.submit(command);
    return isRefusal(outcome) ? null : outcome.receipt;
  }

  #key(): string {
    this.#keys += 1;
    return `town-${this.#keys}`;
  }
}

/** Publishes a version now, to hold from so many milliseconds later, or earlier where that is negative. */
async function publish(shop: Shop, document: ProgramDocument, laterMs: number): Promise<void> {
  await counter.database.adminPool.query(
    `insert into program_versions
     select $1, 'coffee-club', coalesce(max(version), 0) + 1, $2, sha256('x'),
       clock_timestamp() + $3 * interval '1 ms', clock_timestamp(), 'test'
     from program_versions where environment_id = $1`,
    [shop.id, document, laterMs],
  );
  await counter.database.adminPool.query('update environments set revision = revision + 1 where id = $1', [
    shop.id,
  ]);
}

/** Signs both sections of every version but the first, which has none and held only later. */
async function approveAll(shop: Shop): Promise<void> {
  const { policyOf } = await import('../../../src/queries/reports/ledger-close/policy.ts');
  const { rows } = await counter.database.adminPool.query<{ version: number; document: ProgramDocument }>(
    'select version, document from program_versions where environment_id = $1 and version > 1',
    [shop.id],
  );
  for (const { version: number, document } of rows) {
    const policy = policyOf({ version: number, document });
    for (const section of ['finance', 'journal'] as const) {
      await counter.database.adminPool.query(
        `insert into finance_approvals
         values ($1, gen_random_uuid(), 'coffee-club', $2, $3, decode($4, 'hex'), 'test', 'grace', clock_timestamp())
         on conflict do nothing`,
        [shop.id, number, section, policy[section]?.sectionHash],
      );
    }
  }
}

test.each([1, 2, 3])(
  'a close is the same right after its period and after all that comes later (history %i)',
  async (seed) => {
    const random = new Random(seed);
    const { adminPool } = counter.database;
    let now = Date.UTC(2025, 0, 5);
    await time.travelTo(new Date(now));
    const shop = await counter.environment();
    await publish(shop, version(random), -DAY_MS);
    const writer = counter.writer();
    const town = new Town(shop, writer, random);
    await town.open();
    const closes: CloseReport[] = [];
    const close = async (from: Date, to: Date): Promise<CloseReport> => {
      const report = await findLedgerClose(adminPool, shop.id, { programId: 'coffee-club', from, to });
      if (isRefusal(report)) throw new Error(report.message);
      expect(report.controls.filter(({ passed }) => !passed)).toEqual([]);
      return report;
    };
    let from = new Date(now - DAY_MS);
    for (let step = 0; step < STEPS; step += 1) {
      now += random.between(1, 2.5 * DAY_MS);
      await time.travelTo(new Date(now));
      await town.step();
      if (random.chance(0.04)) await publish(shop, version(random), random.between(-30, 3) * DAY_MS);
      if (random.chance(0.1)) await rollUp(adminPool, shop.id);
      if (!random.chance(0.12)) continue;
      const to = await time.now();
      closes.push(await close(from, to));
      from = to;
    }
    await publish(shop, version(random), -500 * DAY_MS);
    await approveAll(shop);
    await rollUp(adminPool, shop.id);
    expect(closes.length).toBeGreaterThan(5);
    for (const before of closes) {
      const after = await close(new Date(before.period.from), new Date(before.period.to));
      expect(after.evidence).toEqual(before.evidence);
      expect(after.evidenceHash).toBe(before.evidenceHash);
      expect(after.approvals.map(({ section }) => section)).toEqual(['finance', 'journal']);
    }
    const moved = await counter.value<number>(
      'select count(*)::integer from lot_expiry_changes where environment_id = $1',
      [shop.id],
    );
    expect(moved).toBeGreaterThan(0);
  },
);
