import cluster from 'node:cluster';
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type Registry,
  register,
} from 'prom-client';
import type { Removable } from '../../jobs/retention.ts';
import type { RetryCause } from '../../ledger/batch/sqlstate.ts';
import type { ReplicaOutcome } from '../../queries/shared/replica.ts';
import type { AttemptResult } from '../../webhooks/attempt.ts';
import type { WaitingDeliveries } from '../../webhooks/delivery-statements.ts';

/** The metrics of one process, in Prometheus's base units, such as seconds and bytes. */
export interface Metrics {
  registry: Registry;
  /**
   * Counts one finished request. `surface` is the fixed part of its path, never the whole: a path can name a customer.
   */
  observeRequest(surface: string, method: string, status: number, seconds: number): void;
  /** Counts one batch of the writer. */
  observeBatch(commands: number, seconds: number): void;
  /** Counts one batch that failed and is tried again. */
  countRetry(cause: RetryCause): void;
  /** Counts the profiles that a sweep has settled. */
  countSettled(profiles: number): void;
  /** Counts a background task that failed, or a profile that it could not settle or re-qualify. */
  countFailedSweep(task: string): void;
  /** Counts rows that the retention has removed or emptied. */
  countRemoved(kind: Removable, rows: number): void;
  /** Counts one read that may go to the replica, by where it was made. */
  countReplicaRead(outcome: ReplicaOutcome): void;
  /** Counts a receipt that could not be shown. */
  countUnreadableReceipt(): void;
  /** Counts a connection that was cut off because its client had left too many bytes unread. */
  countCutOff(): void;
  /** Counts one attempt to deliver a webhook. */
  observeAttempt(result: Pick<AttemptResult, 'delivered' | 'responseStatus' | 'durationMs'>): void;
  /** Counts an error code that was sent in a response. @param operation absent where none was reached */
  countRefusal(code: string, operation?: string): void;
}

/** Values that are read at each scrape. */
export interface Readings {
  /** Commands that wait for the writer or are in flight. */
  waiting(): number;
  /** How long the profile that has waited longest for a sweep has been due. */
  oldestDueSeconds(): Promise<number>;
  /** Whether commits wait for no standby; null where the settings ask for none. */
  commitsAlone: (() => Promise<boolean>) | null;
  /** The deliveries of webhooks that wait. */
  waitingDeliveries(): Promise<WaitingDeliveries[]>;
}

/** Registers the metrics of this process. To be called once in a process. */
export function createMetrics(readings: Readings): Metrics {
  collectDefaultMetrics();
  addGauges(readings);
  // The constructor makes a worker send its metrics when the primary process requests them.
  if (cluster.isWorker) new AggregatorRegistry();
  const requests = new Histogram({
    name: 'rewards_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    labelNames: ['surface', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  });
  const batchSize = new Histogram({
    name: 'rewards_writer_batch_commands',
    help: 'Commands in one database transaction of the writer.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
  });
  const batchSeconds = new Histogram({
    name: 'rewards_writer_batch_duration_seconds',
    help: 'Time of one batch of the writer, from its first lock to its commit.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
  });
  const settled = new Counter({
    name: 'rewards_settled_profiles_total',
    help: 'Profiles in which a sweep has posted what time has made due.',
  });
  const failedSweeps = new Counter({
    name: 'rewards_failed_sweeps_total',
    help: 'Sweeps that failed, and profiles that a sweep could not settle or re-qualify.',
    labelNames: ['task'],
  });
  const refusals = new Counter({
    name: 'rewards_refusals_total',
    help: 'Error codes in answers, internal_error among them, by the operation that was refused.',
    labelNames: ['code', 'operation'],
  });
  const attempts = attemptHistogram();
  return {
    registry: register,
    observeRequest(surface, method, status, seconds) {
      requests.observe({ surface, method, status }, seconds);
    },
    observeBatch(commands, seconds) {
      batchSize.observe(commands);
      batchSeconds.observe(seconds);
    },
    countSettled(profiles) {
      settled.inc(profiles);
    },
    countFailedSweep(task) {
      failedSweeps.inc({ task });
    },
    countRetry: retryCounter(),
    countRemoved: removalCounter(),
    countReplicaRead: replicaCounter(),
    countUnreadableReceipt: unreadableCounter(),
    countCutOff: cutOffCounter(),
    observeAttempt({ delivered, responseStatus, durationMs }) {
      const outcome = delivered ? 'delivered' : responseStatus === null ? 'no_answer' : 'refused';
      attempts.observe({ outcome }, durationMs / 1000);
    },
    countRefusal(code, operation = '') {
      refusals.inc({ code, operation });
    },
  };
}

function attemptHistogram() {
  return new Histogram({
    name: 'rewards_webhook_attempt_duration_seconds',
    help:
      'Time of one attempt to deliver a webhook. Outcomes: delivered, ' +
      'refused (another status than 2xx), no_answer.',
    labelNames: ['outcome'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
  });
}

function retryCounter(): Metrics['countRetry'] {
  const retries = new Counter({
    name: 'rewards_writer_retries_total',
    help: 'Batches of the writer that failed and were tried again, as a whole or each of their commands alone.',
    labelNames: ['cause'],
  });
  return (cause) => retries.inc({ cause });
}

function removalCounter(): Metrics['countRemoved'] {
  const removed = new Counter({
    name: 'rewards_retention_removed_total',
    help: 'What was kept long enough: payloads of events that were emptied, and quotes that were removed.',
    labelNames: ['kind'],
  });
  return (kind, rows) => removed.inc({ kind }, rows);
}

function unreadableCounter(): Metrics['countUnreadableReceipt'] {
  const unreadable = new Counter({
    name: 'rewards_unreadable_receipts_total',
    help:
      'Receipts of purchases that could not be shown, because they or ' +
      'their templates were damaged in the database.',
  });
  return () => unreadable.inc();
}

function cutOffCounter(): Metrics['countCutOff'] {
  const cutOff = new Counter({
    name: 'rewards_unsent_cut_off_total',
    help: 'Connections that were cut off because their clients left too many bytes of answers unread.',
  });
  return () => cutOff.inc();
}

function replicaCounter(): Metrics['countReplicaRead'] {
  const reads = new Counter({
    name: 'rewards_replica_reads_total',
    help:
      'Reports that READ_DATABASE_URL is for: read from the replica, or ' +
      'from the primary for the reason in outcome.',
    labelNames: ['outcome'],
  });
  return (outcome) => reads.inc({ outcome });
}

/** Registers gauges, whose values are read when the metrics are requested. */
function addGauges({ waiting, oldestDueSeconds, waitingDeliveries, commitsAlone }: Readings): void {
  addDeliveryGauges(waitingDeliveries);
  addStandbyGauge(commitsAlone);
  new Gauge({
    name: 'rewards_writer_waiting_commands',
    help: 'Commands that wait for the writer or are in flight.',
    collect() {
      this.set(waiting());
    },
  });
  new Gauge({
    name: 'rewards_oldest_due_seconds',
    help: 'How long the profile that has waited longest for a sweep has been due.',
    // Every process reads the same value, so it must not be summed.
    aggregator: 'max',
    async collect() {
      const seconds = await oldestDueSeconds().catch(() => null);
      if (seconds !== null) this.set(seconds);
    },
  });
}

function addStandbyGauge(read: Readings['commitsAlone']): void {
  new Gauge({
    name: 'rewards_database_commits_alone',
    help: '1 where REQUIRE_STANDBY is set and commits wait for no standby, else 0.',
    // Every process reads the same value.
    aggregator: 'max',
    async collect() {
      const alone = read === null ? false : await read().catch(() => null);
      if (alone !== null) this.set(alone ? 1 : 0);
    },
  });
}

/** Every process reads the same values, so they must not be summed. */
function addDeliveryGauges(read: Readings['waitingDeliveries']): void {
  const labelNames = ['status'] as const;
  const aggregator = 'max';
  new Gauge({
    name: 'rewards_webhook_waiting_deliveries',
    help: 'Webhook deliveries that wait: pending for a first attempt, failed for another one.',
    ...{ labelNames, aggregator },
    async collect() {
      for (const { status, deliveries } of await read().catch(() => [])) this.set({ status }, deliveries);
    },
  });
  new Gauge({
    name: 'rewards_webhook_oldest_waiting_seconds',
    help: 'How long the webhook delivery that has waited longest has been due.',
    ...{ labelNames, aggregator },
    async collect() {
      for (const { status, seconds } of await read().catch(() => [])) this.set({ status }, seconds);
    },
  });
}

/** For the primary process: returns the text that Prometheus reads, with the metrics of all workers aggregated. */
export function createClusterMetrics(): () => Promise<string> {
  const aggregator = new AggregatorRegistry();
  return () => aggregator.clusterMetrics();
}
