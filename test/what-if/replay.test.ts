import { describe, expect, test } from '@jest/globals';
import type { MemberRecord } from '../../src/ledger/tables/members.ts';
import type { ProgramDocument } from '../../src/programs/document/program-document.ts';
import type { PublishedProgram } from '../../src/programs/published/published-program.ts';
import type { PurchaseReceipt } from '../../src/queries/transactions/recorded-award.ts';
import type { EnrollmentChange } from '../../src/what-if/enrollment-course.ts';
import type { PastEngagement, PastEvent, PastPurchase } from '../../src/what-if/read-history.ts';
import { type SimulationClock, withDraft } from '../../src/what-if/simulated-program.ts';
import { Simulation } from '../../src/what-if/simulation.ts';
import { daysFrom } from '../support/commands/desk.ts';
import { noon, program, rule } from '../support/rules/fixtures.ts';

// A few hand-written events, replayed under a draft.

const nothingPublished: PublishedProgram = { programId: 'coffee-club', versions: [] };

interface Given {
  from?: Date;
  end?: Date;
  clock?: SimulationClock;
  published?: PublishedProgram;
  enrollments?: EnrollmentChange[];
}

const entered = (at: Date): EnrollmentChange => ({ at, id: '', enrolled: true });
const left = (at: Date): EnrollmentChange => ({ at, id: '', enrolled: false });

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
    simulation.addMember({
      member: memberOf(id),
      enrollments: given.enrollments ?? [entered(daysFrom(noon, -500))],
      referralCode: null,
    });
  }
  for (const event of events) simulation.take(event);
  return simulation;
}

function memberOf(id: string): MemberRecord {
  return {
    id,
    externalCustomerId: id,
    displayName: null,
    status: 'active',
    identityStatus: 'unverified',
    consentStatus: 'granted',
    noticeVersion: 'v1',
    consentAt: noon,
    createdAt: noon,
    tags: [],
    lists: [],
    mergedInto: null,
  };
}

let orders = 0;

/** An event of ann that was received when it happened. */
const received = (at: Date) => ({ at, receivedAt: at, id: `event-${orders}`, memberId: 'ann' });

/** A purchase of ann for 100 dollars, without points. */
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
    ...received(at),
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
    ...received(at),
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
    expect({ draft: tally.challenges.draft, engagementEvents: tally.engagementEvents }).toEqual({
      draft: 50n,
      engagementEvents: 3,
    });
  });

  test('the attributes of engagement events', () => {
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

  test('only the awards of an event in this program', () => {
    const of = (programId: string, points: number) => ({ programId, challengeId: 'critic', points });
    const event = { ...reviewed(noon), awards: [of('coffee-club', 50), of('tea-club', 7)] };
    const { tally } = simulated(program(), [event]);
    expect({ challenges: tally.challenges.now, total: tally.total.now }).toEqual({
      challenges: 50n,
      total: 50n,
    });
  });

  test('points under an inactivity policy, which every purchase extends', () => {
    const draft = program({ expiration: { policy: 'inactivity', days: 30 } });
    const remaining = (...purchases: PastPurchase[]) =>
      simulated(draft, purchases, { end: daysFrom(noon, 45) }).remaining();
    expect(remaining(bought(noon))).toMatchObject({ unexpired: 0n, expired: 100n });
    const worthless = bought(daysFrom(noon, 20), { amountMinor: 0 });
    expect(remaining(bought(noon), worthless)).toMatchObject({ unexpired: 100n, expired: 0n });
    expect(remaining(bought(noon), bought(daysFrom(noon, 31)))).toMatchObject({
      unexpired: 100n,
      expired: 100n,
    });
  });

  test('the standing of a member whose first event is long before its enrollment', () => {
    const draft = program({ qualification: { window: 'calendar_year' } });
    const receivedAt = daysFrom(noon, 800);
    const events = [bought(noon, { amountMinor: 100_000 }), bought(daysFrom(noon, 1))];
    const { tally } = simulated(
      draft,
      events.map((event) => ({ ...event, receivedAt })),
      { clock: 'event', enrollments: [entered(daysFrom(noon, 700))] },
    );
    // The first purchase raises ann to silver, which gets a quarter more points.
    expect(tally.total.draft).toBe(1_125n);
  });
});

describe('enrollments', () => {
  const critic = program({
    eventDefinitions: [{ type: 'review' }],
    challenges: [
      {
        id: 'critic',
        eventType: 'review',
        match: 'all',
        conditions: [],
        goal: { count: 1 },
        repeatable: true,
        award: { points: 50 },
      },
    ],
  });
  const [two, five] = [daysFrom(noon, 2), daysFrom(noon, 5)];
  const enrollments = [entered(two), left(daysFrom(noon, 4)), entered(five)];
  const days = [1, 3, 4.5, 6];

  test('an event counts where the member was enrolled when it was received', () => {
    const events = days.map((day) => reviewed(daysFrom(noon, day)));
    expect(simulated(critic, events, { enrollments }).tally.challenges.draft).toBe(100n);
    const { tally } = simulated(critic, [bought(daysFrom(noon, 4.5)), bought(daysFrom(noon, 6))], {
      enrollments,
    });
    expect([...tally.refused]).toEqual([['enrollment_required', 1]]);
  });

  test('also on the clock of the events, whenever they happened', () => {
    const happened = (at: Date, received: Date) => ({ ...reviewed(at), receivedAt: received });
    const counted = (...events: PastEngagement[]) =>
      simulated(critic, events, { clock: 'event', enrollments }).tally.challenges.draft;
    expect(counted(happened(noon, daysFrom(noon, 3)))).toBe(50n);
    expect(counted(happened(noon, daysFrom(noon, 1)))).toBe(0n);
    expect(counted(happened(noon, daysFrom(noon, 6)), happened(daysFrom(noon, 1), daysFrom(noon, 4.5)))).toBe(
      50n,
    );
    expect(counted(happened(noon, daysFrom(noon, 4.5)), happened(daysFrom(noon, 1), daysFrom(noon, 6)))).toBe(
      50n,
    );
  });

  test('those of the same instant are applied in the order in which they were written', () => {
    const at = (id: string) => ({ ...reviewed(two), id });
    const change = { ...entered(two), id: 'b' };
    const tally = (id: string) => simulated(critic, [at(id)], { enrollments: [change] }).tally;
    expect({ a: tally('a').challenges.draft, c: tally('c').challenges.draft }).toEqual({ a: 0n, c: 50n });
  });

  test('a member who enrolls again has the standing of the document in effect then', () => {
    const yearly = program({ qualification: { window: 'calendar_year' } });
    const [before, later] = [bought(two, { amountMinor: 600_000 }), bought(daysFrom(noon, 900))];
    const { tally } = simulated(yearly, [before, later], {
      enrollments: [entered(noon), left(five), entered(daysFrom(noon, 890))],
    });
    expect([...tally.tiers.keys()]).toEqual(['bronze']);
  });
});

describe('events before the period', () => {
  const from = daysFrom(noon, 10);

  test('count toward challenges, and their points are not counted', () => {
    const draft = program({
      eventDefinitions: [{ type: 'review' }],
      challenges: [
        {
          id: 'critic',
          eventType: 'review',
          match: 'all',
          conditions: [],
          goal: { count: 2 },
          repeatable: true,
          award: { points: 50 },
        },
      ],
    });
    const published = { ...nothingPublished, versions: [version(draft)] };
    const events = [reviewed(noon), reviewed(noon), reviewed(noon), reviewed(from), reviewed(from)];
    const simulation = simulated(draft, [bought(noon), ...events], { from, published });
    expect({
      draft: simulation.tally.challenges.draft,
      engagementEvents: simulation.tally.engagementEvents,
    }).toEqual({ draft: 50n, engagementEvents: 2 });
    expect(simulation.remaining()).toEqual({ unexpired: 50n, pending: 0n, expired: 0n });
  });

  test('do not count as referrals or refusals, but later ones do', () => {
    const rejecting = program({ memberLimit: { points: 50, period: 'lifetime', onExceed: 'reject' } });
    const referral = (at: Date): PastEvent => ({ kind: 'referral', ...received(at), points: 7 });
    const events = [bought(noon), referral(noon), bought(from), referral(from)];
    const published = { ...nothingPublished, versions: [version(rejecting)] };
    const { tally } = simulated(rejecting, events, { from, published });
    expect([...tally.refused]).toEqual([['member_limit_reached', 1]]);
    expect({
      purchases: tally.purchases,
      referralsNow: tally.referrals.now,
      totalNow: tally.total.now,
    }).toEqual({ purchases: 1, referralsNow: 7n, totalNow: 7n });
  });
});

function version(document: ProgramDocument, since = daysFrom(noon, -900), number = 1) {
  return { version: number, effectiveFrom: since, publishedAt: since, document };
}

describe('svcEvaluation of an event', () => {
  const gold = { attributes: pinned('gold') };

  test('is used on the clock of receipt, and ignored on the clock of the events', () => {
    const past = bought(noon, gold);
    const onReceipt = simulated(program(), [past]).tally;
    expect({ points: onReceipt.total.draft, tiers: [...onReceipt.tiers.keys()] }).toEqual({
      points: 150n,
      tiers: ['gold'],
    });
    const onEvents = simulated(program(), [past], { clock: 'event' }).tally;
    expect({ points: onEvents.total.draft, tiers: [...onEvents.tiers.keys()] }).toEqual({
      points: 100n,
      tiers: ['bronze'],
    });
  });

  test('selects the draft from the instant at which it takes effect', () => {
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
    const before = new Date(noon.getTime() - 1);
    expect({ noon: total(noon), before: total(before) }).toEqual({ noon: 300n, before: 150n });
  });

  test('does not remove the other attributes', () => {
    const vip = rule('vip', [{ field: 'attributes.vip', operator: 'equals', value: true }]);
    const draft = program({ earn: { rules: [vip] } });
    const total = (attributes: Record<string, unknown> | null) =>
      simulated(draft, [bought(noon, { attributes })]).tally.total.draft;
    const totals = { vip: total({ vip: true }), notVip: total({ vip: false }), neither: total(null) };
    expect(totals).toEqual({ vip: 100n, notVip: 0n, neither: 0n });
  });
});

describe('the program with a draft', () => {
  const [first, second] = [version(program(), daysFrom(noon, -9)), version(program(), noon, 2)];
  const published = { ...nothingPublished, versions: [first, second] };
  const draft = program({ name: 'Draft' });

  test('keeps the versions in effect before it, and none that takes effect with it', () => {
    const { versions } = withDraft(published, draft, noon, 'receipt');
    expect(versions.map(({ version: number, document }) => [number, document.name])).toEqual([
      [1, 'Coffee Club'],
      [3, 'Draft'],
    ]);
    expect(versions.at(-1)).toMatchObject({ effectiveFrom: noon, publishedAt: noon });
    expect(withDraft(published, draft, null, 'receipt').versions).toHaveLength(1);
  });

  test('on the clock of the events, its first version has always been in effect', () => {
    const [held, ...rest] = withDraft(published, draft, daysFrom(noon, -1), 'event').versions;
    expect(held).toMatchObject({ version: 1, effectiveFrom: new Date(0), publishedAt: new Date(0) });
    expect(rest).toHaveLength(1);
    const early = withDraft(published, draft, daysFrom(noon, -99), 'event').versions;
    expect(early.map(({ version: number }) => number)).toEqual([1, 3]);
    expect(withDraft(published, draft, daysFrom(noon, -99), 'receipt').versions).toHaveLength(1);
  });
});
