/** The scenarios of the table of rates, in the order of a round. `e0` is the base of `e`. */
export type RateId = 'a' | 'b' | 'c' | 'd' | 'e0' | 'e' | 'f' | 'g0' | 'g' | 'h' | 'i' | 'j';

/** Pages of transactions: the newest, those of a customer, those of an event type, and the second page. */
export type PageId = 'p1' | 'p2' | 'p3' | 'p4';

export type ScenarioId = RateId | PageId;

export interface Scenario {
  id: RateId;
  title: string;
  /** The scenario that it is compared with, and the least ratio; a null `target` is only reported. */
  against: { id: RateId; target: number | null } | null;
  /** The least rate by itself. */
  perSecond?: number;
  /** A scenario that must be measured before, because this one uses its results. */
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
  /** How many members there are: `customer-0` and so on, all enrolled. */
  members: number;
}

/** Everything that the load process needs to know. */
export interface Target extends Place {
  serverPort: number;
  barePort: number;
  items: number;
  baseline: BaselineTarget;
}

/** The baseline's environment, which is separate so that each can be audited by itself. */
export interface BaselineTarget {
  /** `postgresql://…`, with the server's privileges. */
  databaseUrl: string;
  /** UUID. */
  environmentId: string;
  /** A receipt that the service has stored: the baseline stores the same fields with other ids. */
  receipt: StoredReceipt;
  actorId: string;
  /** The lot's expiry; null for never. */
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
  /** Number of the first request. Jobs continue the numbers, so that no request occurs twice. */
  first: number;
  /** How many purchases there are to replay or to return. */
  recorded: number;
  /** Another environment than the target's; null for the target's. */
  place: Place | null;
  /** The cursor of the second page. */
  cursor: string | null;
}

/** The result of a measurement in which every response was as expected. */
export interface Measurement {
  requests: number;
  seconds: number;
  /** Sum of the points in the responses: awarded, redeemed or clawed back. */
  points: number;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
}
