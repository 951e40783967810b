import type { JWK } from 'jose';
import type { WidgetDeployment } from '../src/widget/widget-document.ts';
import type { Multipliers } from './answer-checks.ts';

/** What is measured in the tables of rates; docs/lab/benchmarks.md has a line for each. */
export type RateId =
  | 'a'
  | 'b'
  | 'c'
  | 'd'
  | 'e0'
  | 'e'
  | 'f'
  | 'g0'
  | 'g'
  | 'h'
  | 'i'
  | 'j'
  | 'k0'
  | 'k'
  | 'l'
  | 'm'
  | 'o'
  | 's0'
  | 's'
  | 't0'
  | 'v'
  | 'w1'
  | 'w5'
  | 'z';

/** Pages of transactions: the newest, those of a customer, those of an event type, and the second page. */
export type PageId = 'p1' | 'p2' | 'p3' | 'p4';

/** Pages of the other lists, under each filter that leads to rows; bench/lists.ts numbers them. */
export type ListId = `q${number}`;

export type ScenarioId = RateId | PageId | ListId;

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
  /** Of the program's tiers. */
  multipliers: Multipliers;
  baseline: BaselineTarget;
  /** Null where the run does not measure it. */
  pgledger: PgledgerTarget | null;
  customers: CustomerAccess;
  /** The server's key of secrets. */
  secretsKey: string;
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

/** What lets the load sign in as any member of an environment. */
export interface CustomerAccess {
  /** The private key of the issuer. */
  issuerKey: JWK;
  deployment: WidgetDeployment;
  /** UUIDs: that of `customer-0` first. */
  memberIds: readonly string[];
}

/** The database of pgledger. */
export interface PgledgerTarget {
  /** `postgresql://…` */
  databaseUrl: string;
  /** Their ids. */
  accounts: readonly string[];
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
  /** Other environments than the target's, which share the connections; none for the target's. */
  places: readonly Place[];
  /** Requests that arrive in a second; null where each connection sends as soon as its last request was answered. */
  arrivalsPerSecond: number | null;
  /** The most requests that are sent to a place; null for no limit. */
  most: number | null;
  /** The cursor of the second page. */
  cursor: string | null;
}

/** What was answered in an environment. */
export interface OfPlace {
  requests: number;
  /** Sum of the points in the responses: awarded, redeemed or clawed back. */
  points: number;
}

/** The result of a measurement in which every response was as expected. */
export interface Measurement extends OfPlace {
  seconds: number;
  /** In the order of the job's places. */
  byPlace: readonly OfPlace[];
  /** From when a request was due until its answer. Where none waits for another, it is due when it is sent. */
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
}
