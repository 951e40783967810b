/** What is measured in the table of rates, in the order of a round. `e0` is what `e` is compared with. */
export type RateId = 'a' | 'b' | 'c' | 'd' | 'e0' | 'e' | 'f' | 'g0' | 'g' | 'h' | 'i' | 'j';

/** Pages of transactions: the newest, those of a customer, those of an event type, and what follows the newest. */
export type PageId = 'p1' | 'p2' | 'p3' | 'p4';

export type ScenarioId = RateId | PageId;

export interface Scenario {
  id: RateId;
  title: string;
  /** The scenario that it is a ratio of, and what the ratio should be at least; null: it is only reported. */
  against: { id: RateId; target: number | null } | null;
  /** What it should come to at least by itself. */
  perSecond?: number;
  /** What must have been measured before it, beside that: it goes on with what that has made. */
  after?: RateId;
}

export const SCENARIOS: readonly Scenario[] = [
  { id: 'a', title: 'One stored-function call and commit a purchase, from pg', against: null },
  { id: 'b', title: 'POST /api/v1/events', against: { id: 'a', target: 1 } },
  { id: 'c', title: 'GraphQL purchaseEarn', against: { id: 'b', target: 0.8 } },
  { id: 'd', title: 'POST /api/v1/events, one hot member', against: { id: 'b', target: 0.8 } },
  { id: 'e0', title: 'Bare Express, one pg select', against: null },
  { id: 'e', title: 'GET /api/v1/members/{externalId}', against: { id: 'e0', target: 0.5 } },
  { id: 'f', title: 'Replays of POST /api/v1/events', against: { id: 'b', target: null } },
  { id: 'g0', title: 'POST /api/v1/redemptions/quote', against: { id: 'b', target: null } },
  {
    id: 'g',
    title: 'Pairs of POST …/redemptions/reserve and …/commit',
    against: { id: 'b', target: null },
    after: 'g0',
  },
  { id: 'h', title: 'POST /api/v1/returns', against: { id: 'b', target: null } },
  {
    id: 'i',
    title: 'POST /api/v1/offers/evaluate, 50 offers, 20 lines',
    against: null,
    perSecond: 1_000,
  },
  {
    id: 'j',
    title: 'POST /api/v1/events, the whole demo program',
    against: { id: 'b', target: 0.7 },
  },
];

/** An environment that requests are sent to. */
export interface Place {
  /** TypeID. */
  environmentId: string;
  apiKeys: readonly string[];
  programId: string;
  /** How many there are: `customer-0` and so on, all enrolled. */
  members: number;
}

/** Where the load goes, and with what: all that the load process needs to know. */
export interface Target extends Place {
  serverPort: number;
  barePort: number;
  items: number;
  baseline: BaselineTarget;
}

/** An environment of its own, so that both can be audited by themselves. */
export interface BaselineTarget {
  /** `postgresql://…`, with the server's privileges. */
  databaseUrl: string;
  /** UUID. */
  environmentId: string;
  /** What the service stored for one purchase: the baseline stores the same, with other ids. */
  receipt: StoredReceipt;
  actorId: string;
  /** The lot's expiry, or null. */
  expiresAt: string | null;
}

/** The parts of a stored receipt that differ from purchase to purchase. */
export interface StoredReceipt {
  id: string;
  member: { id: string; externalCustomerId: string };
  award: { points: number; basePoints: number };
  evidence: { amountMinor: number; occurredAt: string };
  ruleDecisions: { points: number }[];
  evaluationAt: string;
  [name: string]: unknown;
}

/** One measurement. */
export interface Job {
  scenario: ScenarioId;
  seconds: number;
  connections: number;
  /** Number of the first request: they are counted through, so that none occurs twice. */
  first: number;
  /** How much there is to go on with: purchases to replay or to return. */
  recorded: number;
  /** Another environment than the target's. */
  place: Place | null;
  /** The second page's. */
  cursor: string | null;
}

/** What came of a measurement: all of it was answered as it should be. */
export interface Measurement {
  requests: number;
  seconds: number;
  /** Sum of the points that the answers name: awarded, redeemed or clawed back. */
  points: number;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
}
