/** The letters of the table, in the order of a round. `e0` is what `e` is compared with. */
export type ScenarioId = 'a' | 'b' | 'c' | 'd' | 'e0' | 'e' | 'f';

export interface Scenario {
  id: ScenarioId;
  title: string;
  /** The scenario that it is a ratio of, and what the ratio should be at least; null: it is only reported. */
  against: { id: ScenarioId; target: number | null } | null;
}

export const SCENARIOS: readonly Scenario[] = [
  { id: 'a', title: 'One stored-function call and commit a purchase, from pg', against: null },
  { id: 'b', title: 'POST /api/v1/events', against: { id: 'a', target: 1 } },
  { id: 'c', title: 'GraphQL purchaseEarn', against: { id: 'b', target: 0.8 } },
  { id: 'd', title: 'POST /api/v1/events, one hot member', against: { id: 'b', target: 0.8 } },
  { id: 'e0', title: 'Bare Express, one pg select', against: null },
  { id: 'e', title: 'GET /api/v1/members/{externalId}', against: { id: 'e0', target: 0.5 } },
  { id: 'f', title: 'Replays of POST /api/v1/events', against: { id: 'b', target: null } },
];

/** Where the load goes, and with what: all that the load process needs to know. */
export interface Target {
  serverPort: number;
  barePort: number;
  /** TypeID of the environment that the server is measured in. */
  environmentId: string;
  apiKeys: readonly string[];
  programId: string;
  members: number;
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
  evaluationAt: string;
  [name: string]: unknown;
}

/** One measurement. */
export interface Job {
  scenario: ScenarioId;
  seconds: number;
  connections: number;
  /** Number of the first purchase: they are counted through, so that none occurs twice. */
  first: number;
  /** Replays: how many purchases there are to replay. */
  recorded: number;
}

/** What came of a measurement: all of it was answered as it should be. */
export interface Measurement {
  requests: number;
  seconds: number;
  /** Sum of the points that the answers award. */
  points: number;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
}
