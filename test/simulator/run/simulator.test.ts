import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { MemoryStore } from '../../../src/ledger/memory/memory-store.ts';
import type { EventRecord } from '../../../src/ledger/tables/events.ts';
import { Random } from '../../../src/simulator/random.ts';
import { simulate } from '../../../src/simulator/run/simulate.ts';
import type { Figures } from '../../../src/simulator/run/world.ts';
import { World } from '../../../src/simulator/run/world.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

describe('random numbers', () => {
  test('follow from the seed alone', () => {
    const draw = (seed: number): number[] => {
      const random = new Random(seed);
      return Array.from({ length: 5 }, () => random.next());
    };
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
  });

  test('fill their range evenly', () => {
    const random = new Random(1);
    const counts = Array<number>(10).fill(0);
    for (let index = 0; index < 10_000; index++) {
      const value = random.below(10);
      counts[value] = (counts[value] ?? 0) + 1;
    }
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });
});

/** Operations of clients. The service's own operations have no idempotency keys to replay. */
const KEYED = [
  'createMember',
  'enrollMember',
  'enrollCustomer',
  'unenrollMember',
  'purchaseEarn',
  'recordReturn',
  'quoteRedemption',
  'reserveRedemption',
  'commitRedemption',
  'redeemInWidget',
  'releaseRedemption',
  'reverseRedemption',
  'reverseForCustomer',
  'updateFulfillment',
  'openDispute',
  'rejectDispute',
  'requestMemberMerge',
  'approveMemberMerge',
  'requestAdjustment',
  'approveAdjustment',
  'rejectAdjustment',
  'reverseAdjustment',
  'assignCouponCode',
  'openBalance',
  'settleExchange',
  'reverseExchange',
];

/** Outcomes that every run must reach sooner or later. */
const OUTCOMES = [
  ...KEYED.flatMap((operation) => [`${operation} done`, `${operation} replayed`]),
  ...['createMember', 'enrollMember', 'purchaseEarn', 'recordReturn', 'quoteRedemption'].map(
    (operation) => `${operation} idempotency_key_reused`,
  ),
  'settleProfile done',
  'expireAdjustment done',
  'createMember member_exists',
  'enrollMember member_not_found',
  'enrollMember enrollment_required',
  'enrollMember unknown_tier',
  'unenrollMember profile_not_found',
  'unenrollMember balance_not_zero',
  'purchaseEarn production_locked',
  'purchaseEarn program_not_found',
  'purchaseEarn source_reference_conflict',
  'purchaseEarn enrollment_required',
  'purchaseEarn invalid_event',
  'purchaseEarn configuration_not_effective',
  'purchaseEarn unknown_tier',
  'purchaseEarn currency_mismatch',
  'purchaseEarn member_limit_reached',
  'previewPurchase done',
  'previewPurchase enrollment_required',
  'previewPurchase member_limit_reached',
  'recordCustomEvent event_definition_not_found',
  'recordCustomEvent member_not_found',
  'recordCustomEvent source_reference_conflict',
  'recordCustomEvent validation_failed',
  'recordCustomEvent attributes_invalid',
  'assignCouponCode program_not_found',
  'assignCouponCode member_not_found',
  'assignCouponCode coupon_code_not_found',
  'assignCouponCode coupon_code_unavailable',
  'claimChoiceBenefit member_not_found',
  'claimChoiceBenefit source_reference_conflict',
  'claimChoiceBenefit choice_set_not_found',
  'claimChoiceBenefit reward_not_found',
  'claimChoiceBenefit enrollment_required',
  'claimChoiceBenefit no_choice_left',
  'claimChoiceBenefit inventory_exhausted',
  'recordReturn order_not_found',
  'recordReturn return_reference_conflict',
  'recordReturn unknown_line',
  'recordReturn return_exceeds_remaining',
  'recordReturn points_not_recoverable',
  'quoteRedemption reward_not_found',
  'quoteRedemption reward_not_eligible',
  'quoteRedemption inventory_exhausted',
  'quoteRedemption insufficient_points',
  'quoteRedemption quote_form_invalid',
  'quoteRedemption points_out_of_range',
  'reserveRedemption quote_not_found',
  'reserveRedemption enrollment_required',
  'reserveRedemption invalid_redemption_state',
  'redeemInWidget idempotency_key_reused',
  'redeemInWidget reward_not_available',
  'redeemInWidget enrollment_required',
  'redeemInWidget unauthorized',
  'commitRedemption reservation_not_found',
  'commitRedemption invalid_redemption_state',
  'releaseRedemption invalid_redemption_state',
  'reverseRedemption cancellation_evidence_required',
  'reverseRedemption reversal_form_invalid',
  'reverseRedemption reversal_exceeds_remaining',
  'resolveDispute invalid_dispute_state',
  'requestAdjustment enrollment_required',
  'requestAdjustment profile_not_found',
  'requestMemberMerge member_not_found',
  'requestMemberMerge validation_failed',
  'approveMemberMerge merge_not_found',
  'approveMemberMerge self_approval_forbidden',
  'approveMemberMerge invalid_merge_state',
  'approveMemberMerge reservation_open',
  'approveMemberMerge enrollment_required',
  'rejectMemberMerge done',
  'requestMemberUnmerge done',
  'requestMemberUnmerge invalid_merge_state',
  'approveMemberUnmerge done',
  'approveMemberUnmerge self_approval_forbidden',
  'approveMemberUnmerge merged_points_used',
  'approveMemberUnmerge merged_engagement_used',
  'rejectMemberUnmerge done',
  'approveAdjustment adjustment_not_found',
  'approveAdjustment self_approval_forbidden',
  'approveAdjustment insufficient_points',
  'approveAdjustment invalid_adjustment_state',
  'reverseAdjustment self_approval_forbidden',
  'reverseAdjustment insufficient_points',
  'openBalance enrollment_required',
  'openBalance validation_failed',
  'settleExchange enrollment_required',
  'settleExchange insufficient_points',
  'settleExchange source_reference_conflict',
  'reverseExchange insufficient_points',
  'reverseExchange invalid_settlement_state',
  'reverseExchange settlement_not_found',
  'reverseExchange validation_failed',
];

const EVENTS = [
  'adjustment.posted',
  'adjustment.reversed',
  'campaign on lines',
  'campaign withheld',
  'cap member reached',
  'cap member_day reached',
  'cap member_month reached',
  'cap member_week reached',
  'cap member_year reached',
  'cap total reached',
  'challenge completed',
  'challenge completed several times',
  'challenge completed twenty times',
  'challenge.awarded',
  'choices by challenge, exhausted',
  'choices by challenge, expired',
  'choices by challenge, open',
  'choices by tier, exhausted',
  'choices by tier, expired',
  'choices by tier, open',
  'claim paid',
  'claim paid with repaid points',
  'code of a pool redeemed',
  'code of a pool refused',
  'coupon redeemed',
  'coupon refused',
  'exchange.reversed',
  'exchange.settled',
  'lent points left',
  'lent points repaid',
  'member limit reached',
  'member.merged',
  'member.unmerged',
  'one campaign',
  'order.returned',
  'points.activated',
  'points.expired',
  'purchase.completed',
  'redemption.committed',
  'redemption.expired',
  'redemption.released',
  'redemption.reserved',
  'redemption.reversed',
  'referral clawed back',
  'referral refused',
  'referral.awarded',
  'several campaigns',
  'several earn rules',
  'streak completed',
  'told of adjustment.posted',
  'told of adjustment.rejected',
  'told of adjustment.requested',
  'told of adjustment.reversed',
  'told of campaign.cap_reached',
  'told of choice.granted',
  'told of exchange.reversed',
  'told of exchange.settled',
  'told of member.enrolled',
  'told of member.merged',
  'told of member.unmerged',
  'told of member.unenrolled',
  'told of points.clawed_back',
  'told of points.earned',
  'told of points.expired',
  'told of points.expiring',
  'told of redemption.committed',
  'told of redemption.dispute_opened',
  'told of redemption.dispute_rejected',
  'told of redemption.dispute_resolved',
  'told of redemption.expired',
  'told of redemption.fulfillment_updated',
  'told of redemption.released',
  'told of redemption.reserved',
  'told of redemption.reversed',
  'told of tier.changed',
];

/** Further worlds are run until every outcome and event has occurred, which is usually soon. */
const MOST_RUNS = 20;

test('every outcome is as predicted, no invariant is violated, and all outcomes and events occur', () => {
  const figures: Figures[] = [];
  const seen = (): Set<string> => new Set(figures.flatMap((world) => [...world.outcomes.keys()]));
  const events = (): string[] => [...new Set(figures.flatMap((world) => [...world.events.keys()]))].sort();
  const violations = (): number => figures.reduce((sum, world) => sum + world.violations, 0);
  const seed = Date.now() % 2 ** 32;
  for (let run = 0; run < MOST_RUNS; run++) {
    const { figures: more, failure } = simulate({ seed: (seed + run * 100) % 2 ** 32, commands: 20_000 });
    expect(failure).toBeNull();
    figures.push(...more);
    const outcomes = seen();
    const occurred = new Set(events());
    const everything =
      OUTCOMES.every((outcome) => outcomes.has(outcome)) && EVENTS.every((event) => occurred.has(event));
    if (everything && violations() > 0) break;
  }
  for (const world of figures) {
    expect(Math.min(world.races, world.lockWaits, world.crashes, world.publications)).toBeGreaterThan(0);
  }
  expect([...seen()]).toEqual(expect.arrayContaining(OUTCOMES));
  expect(violations()).toBeGreaterThan(0);
  expect(events()).toEqual(EVENTS);
}, 300_000);

test('a seed gives the same world again', () => {
  const run = (seed: number): unknown => {
    const { figures } = simulate({ seed, commands: 1_000 });
    return figures.map((world) => ({ ...world, outcomes: [...world.outcomes], events: [...world.events] }));
  };
  expect(run(42)).toEqual(run(42));
  expect(run(42)).not.toEqual(run(43));
});

test('later worlds can be run alone', () => {
  const { figures } = simulate({ seed: 2 ** 32 - 1, commands: 6_000 });
  const alone = simulate({ seed: 0, commands: 1_000 });
  expect(alone.figures[0]).toEqual(figures[1]);
});

describe('what goes wrong is found', () => {
  const runBatch = MemoryStore.prototype.runBatch;
  type Run = MemoryStore['runBatch'];
  /** Runs a batch and changes the events that it writes. */
  const withEvents = (change: (events: EventRecord[]) => EventRecord[]): Run =>
    function (this: MemoryStore, ...args) {
      const { events } = this.tables;
      const written: EventRecord[] = [];
      const set = events.set;
      events.set = (_key, event) => {
        written.push(event);
        return events;
      };
      try {
        return runBatch.apply(this, args);
      } finally {
        events.set = set;
        for (const event of change(written)) events.set(event.id, event);
      }
    };
  const faults: [what: string, faulty: Run][] = [
    [
      'an answer that was never written',
      function (this: MemoryStore, commands, now) {
        const batch = this.open(commands, now);
        batch.rollback();
        return [...batch.outcomes];
      },
    ],
    [
      'a key that is forgotten',
      function (this: MemoryStore, ...args) {
        const outcomes = runBatch.apply(this, args);
        this.tables.idempotency.clear();
        return outcomes;
      },
    ],
    [
      'a point too many',
      function (this: MemoryStore, ...args) {
        const outcomes = runBatch.apply(this, args);
        const [key, profile] = [...this.tables.profiles].at(-1) ?? [];
        if (key && profile) this.tables.profiles.set(key, { ...profile, available: profile.available + 1 });
        return outcomes;
      },
    ],
    [
      'a cap that forgets what it gave',
      function (this: MemoryStore, ...args) {
        const outcomes = runBatch.apply(this, args);
        const [key, counter] = [...this.tables.sharedCounters].at(-1) ?? [];
        if (key && counter) this.tables.sharedCounters.set(key, { ...counter, taken: 0 });
        return outcomes;
      },
    ],
    ['an event that is not sent', withEvents((events) => events.slice(1))],
    [
      'an event that is sent twice',
      withEvents((events) => [
        ...events,
        ...events.slice(0, 1).map((event) => ({ ...event, id: `${event.id}x` })),
      ]),
    ],
    [
      'an event with the balances of before',
      withEvents((events) =>
        events.map((event) => ({
          ...event,
          data: { ...event.data, balances: { available: 0, pending: 0, reserved: 0 } },
        })),
      ),
    ],
    [
      'answers in the wrong order',
      function (this: MemoryStore, ...args) {
        return runBatch.apply(this, args).reverse();
      },
    ],
    [
      'a batch that is written by half',
      function (this: MemoryStore, commands, now, fault) {
        const outcomes = runBatch.call(this, commands.slice(0, Math.ceil(commands.length / 2)), now, fault);
        return [...outcomes, ...outcomes].slice(0, commands.length);
      },
    ],
  ];
  test.each(faults)('%s', (_what, faulty) => {
    jest.spyOn(MemoryStore.prototype, 'runBatch').mockImplementation(faulty);
    const { failure } = simulate({ seed: 11, commands: 2_000 });
    expect(failure?.seed).toBe(11);
    expect(failure?.step).toBeLessThan(2_000);
  });

  test('and found again by its seed', () => {
    jest.spyOn(MemoryStore.prototype, 'runBatch').mockImplementation(faults.at(-2)?.[1] as Run);
    const [first, second] = [1, 2].map(() => simulate({ seed: 12, commands: 5_000 }).failure);
    expect(first?.error.message).toBe(second?.error.message);
    expect(first?.step).toBe(second?.step);
    const alone = new World(12);
    expect(() => {
      for (;;) alone.step(100);
    }).toThrow();
  });
});
