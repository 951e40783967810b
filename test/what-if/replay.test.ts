import { describe, expect, test } from '@jest/globals';
import type { MemberRecord } from '../../src/ledger/records.ts';
import type { ProgramDocument } from '../../src/programs/program-document.ts';
import type { PublishedProgram } from '../../src/programs/published-program.ts';
import type { PurchaseReceipt } from '../../src/queries/recorded-award.ts';
import type { PastEngagement, PastEvent, PastPurchase } from '../../src/what-if/read-history.ts';
import { type SimulationClock, withDraft } from '../../src/what-if/simulated-program.ts';
import { Simulation } from '../../src/what-if/simulation.ts';
import { daysFrom } from '../commands/desk.ts';
import { noon, program, rule } from '../rules/fixtures.ts';

// A few events by hand, and what a draft makes of them.

const nothingPublished: PublishedProgram = { programId: 'coffee-club', versions: [] };

interface Given {
  from?: Date;
  end?: Date;
  clock?: SimulationClock;
  published?: PublishedProgram;
  enrolledAt?: Date;
}

function simulated(draft: ProgramDocument, events: PastEvent[], given: Given = {}): Simulation {
  const { from = null, end = daysFrom(noon, 1_000), clock = 'receipt', published = nothingPublished } = given;
  const simulation = new Simulation({
    environmentId: '01920000-0000-7000-8000-000000000000',
    program: withDraft(published, draft, from, clock),
    clock,
    from,
    end,
  });
  for (const id of ['ann', 'bob']) {
    const member = { id, externalCustomerId: id, status: 'active', tags: [], lists: [] } as unknown;
    simulation.addMember({
      member: member as MemberRecord,
      enrolledAt: given.enrolledAt ?? daysFrom(noon, -500),
      referralCode: null,
    });
  }
  for (const event of events) simulation.take(event);
  return simulation;
}

let orders = 0;

/** 100 dollars spent by ann, for which nothing was given. */
function bought(
  at: Date,
  { attributes = null, occurredAt = at, amountMinor = 10_000 }: Partial<Evidence> = {},
): PastPurchase {
  orders += 1;
  const evidence = {
    amountMinor,
    channel: 'web',
    currency: null,
    occurredAt: occurredAt.toISOString(),
    attributes,
  };
  return {
    kind: 'purchase',
    at,
    memberId: 'ann',
    sourceReference: `order-${orders}`,
    points: 0,
    lines: null,
    receipt: { evidence, coupon: null } as unknown as PurchaseReceipt,
  };
}

interface Evidence {
  amountMinor: number;
  occurredAt: Date;
  attributes: Record<string, unknown> | null;
}

function reviewed(at: Date, occurredAt = at): PastEngagement {
  orders += 1;
  return {
    kind: 'engagement',
    at,
    memberId: 'ann',
    externalCustomerId: 'ann',
    sourceReference: `review-${orders}`,
    type: 'review',
    occurredAt,
    attributes: null,
    awards: [],
  };
}

const pinned = (memberTier: string) => ({
  svcEvaluation: { mode: 'event_time_pinned_configuration', configurationVersion: 1, memberTier },
});

describe('what a simulation carries from event to event', () => {
  test('limits of each period by itself', () => {
    const draft = program({ memberLimit: { points: 150, period: 'day', onExceed: 'trim' } });
    const { tally } = simulated(
      draft,
      [0, 0, 1, 1].map((day) => bought(daysFrom(noon, day))),
    );
    expect(tally.total.draft).toBe(300n);
  });

  test('each window of a challenge, also where an event of an earlier one comes late', () => {
    const draft = program({
      eventDefinitions: [{ type: 'review' }],
      challenges: [
        {
          id: 'critic',
          eventType: 'review',
          match: 'all',
          conditions: [],
          goal: { count: 2 },
          window: { period: 'month' },
          award: { points: 50 },
        },
      ],
    });
    const [march, april] = [noon, daysFrom(noon, 30)];
    const { tally } = simulated(draft, [reviewed(march), reviewed(april), reviewed(april, march)]);
    expect([tally.challenges.draft, tally.engagementEvents]).toEqual([50n, 3]);
  });

  test('what engagement events say of themselves', () => {
    const draft = program({
      eventDefinitions: [{ type: 'review' }],
      challenges: [
        {
          id: 'writer',
          eventType: 'review',
          match: 'all',
          conditions: [{ field: 'attributes.stars', operator: 'gte', value: 4 }],
          goal: { sumOf: 'words', reach: 100 },
          award: { points: 50 },
        },
      ],
    });
    const review = (stars: number): PastEngagement => ({
      ...reviewed(noon),
      attributes: { stars, words: 60 },
    });
    expect(simulated(draft, [review(5), review(3)]).tally.challenges.draft).toBe(0n);
    expect(simulated(draft, [review(5), review(4)]).tally.challenges.draft).toBe(50n);
  });

  test('points under an inactivity policy, which any purchase keeps alive', () => {
    const draft = program({ expiration: { policy: 'inactivity', days: 30 } });
    const left = (...purchases: PastPurchase[]) =>
      simulated(draft, purchases, { end: daysFrom(noon, 45) }).remaining();
    expect(left(bought(noon))).toMatchObject({ unexpired: 0n, expired: 100n });
    const worthless = bought(daysFrom(noon, 20), { amountMinor: 0 });
    expect(left(bought(noon), worthless)).toMatchObject({ unexpired: 100n, expired: 0n });
    expect(left(bought(noon), bought(daysFrom(noon, 31)))).toMatchObject({ unexpired: 100n, expired: 100n });
  });

  test('where a member stood when it joined with its first event, long before it was enrolled', () => {
    const draft = program({ qualification: { window: 'calendar_year' } });
    const { tally } = simulated(draft, [bought(noon, { amountMinor: 100_000 }), bought(daysFrom(noon, 1))], {
      clock: 'event',
      enrolledAt: daysFrom(noon, 700),
    });
    // The first one makes ann silver, and a silver member gets a quarter more.
    expect(tally.total.draft).toBe(1_125n);
  });
});

describe('what came before the period', () => {
  const from = daysFrom(noon, 10);

  test('is not counted: neither referrals nor refusals, of which those from then on are', () => {
    const rejecting = program({ memberLimit: { points: 50, period: 'lifetime', onExceed: 'reject' } });
    const referral = (at: Date): PastEvent => ({ kind: 'referral', at, memberId: 'ann', points: 7 });
    const events = [bought(noon), referral(noon), bought(from), referral(from)];
    const published = { ...nothingPublished, versions: [version(rejecting)] };
    const { tally } = simulated(rejecting, events, { from, published });
    expect([...tally.refused]).toEqual([['member_limit_reached', 1]]);
    expect([tally.purchases, tally.referrals.now, tally.total.now]).toEqual([1, 7n, 7n]);
  });
});

function version(document: ProgramDocument, since = daysFrom(noon, -900), number = 1) {
  return { version: number, effectiveFrom: since, publishedAt: since, document };
}

describe('what an event said of its own evaluation', () => {
  const gold = { attributes: pinned('gold') };

  test('holds by the clock of receipt, and says nothing on the clock of the events', () => {
    const past = bought(noon, gold);
    const onReceipt = simulated(program(), [past]).tally;
    expect([onReceipt.total.draft, [...onReceipt.tiers.keys()]]).toEqual([150n, ['gold']]);
    const onEvents = simulated(program(), [past], { clock: 'event' }).tally;
    expect([onEvents.total.draft, [...onEvents.tiers.keys()]]).toEqual([100n, ['bronze']]);
  });

  test('means the draft from the instant on at which it comes into force', () => {
    const draft = program({ earn: { rules: [rule('double', [], { rateNumerator: 2 })] } });
    const published = { ...nothingPublished, versions: [version(program())] };
    const total = (occurredAt: Date) => {
      const { tally } = simulated(draft, [bought(daysFrom(noon, 1), { ...gold, occurredAt })], {
        from: noon,
        published,
      });
      expect(tally.refused.size).toBe(0);
      return tally.total.draft;
    };
    expect([total(noon), total(new Date(noon.getTime() - 1))]).toEqual([300n, 150n]);
  });

  test('leaves its other attributes for the draft to look at', () => {
    const vip = rule('vip', [{ field: 'attributes.vip', operator: 'equals', value: true }]);
    const draft = program({ earn: { rules: [vip] } });
    const total = (attributes: Record<string, unknown> | null) =>
      simulated(draft, [bought(noon, { attributes })]).tally.total.draft;
    expect([total({ vip: true }), total({ vip: false }), total(null)]).toEqual([100n, 0n, 0n]);
  });
});

describe('the program with a draft', () => {
  const [first, second] = [version(program(), daysFrom(noon, -9)), version(program(), noon, 2)];
  const published = { ...nothingPublished, versions: [first, second] };
  const draft = program({ name: 'Draft' });

  test('keeps what held before it, and nothing of what came into force with it', () => {
    const { versions } = withDraft(published, draft, noon, 'receipt');
    expect(versions.map(({ version: number, document }) => [number, document.name])).toEqual([
      [1, 'Coffee Club'],
      [3, 'Draft'],
    ]);
    expect(versions.at(-1)).toMatchObject({ effectiveFrom: noon, publishedAt: noon });
    expect(withDraft(published, draft, null, 'receipt').versions).toHaveLength(1);
  });

  test('on the clock of the events, its first version has always held', () => {
    const [held, ...rest] = withDraft(published, draft, daysFrom(noon, -1), 'event').versions;
    expect(held).toMatchObject({ version: 1, effectiveFrom: new Date(0), publishedAt: new Date(0) });
    expect(rest).toHaveLength(1);
    const early = withDraft(published, draft, daysFrom(noon, -99), 'event').versions;
    expect(early.map(({ version: number }) => number)).toEqual([1, 3]);
    expect(withDraft(published, draft, daysFrom(noon, -99), 'receipt').versions).toHaveLength(1);
  });
});
