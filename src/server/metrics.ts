import cluster from 'node:cluster';
import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type Registry,
  register,
} from 'prom-client';

/** What a process counts of itself, in the units that Prometheus wants: seconds and bytes. */
export interface Metrics {
  registry: Registry;
  /** One answered request. `surface` is the mount, never a path: a path can name a customer. */
  observeRequest(surface: string, method: string, status: number, seconds: number): void;
  /** One batch of the writer. */
  observeBatch(commands: number, seconds: number): void;
}

/** Counts what this process does. To be called once in a process. */
export function createMetrics(waiting: () => number): Metrics {
  collectDefaultMetrics();
  // Its constructor is what makes a worker answer when the primary asks for its metrics.
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
  new Gauge({
    name: 'rewards_writer_waiting_commands',
    help: 'Commands that wait for the writer or are in flight.',
    collect() {
      this.set(waiting());
    },
  });
  return {
    registry: register,
    observeRequest(surface, method, status, seconds) {
      requests.observe({ surface, method, status }, seconds);
    },
    observeBatch(commands, seconds) {
      batchSize.observe(commands);
      batchSeconds.observe(seconds);
    },
  };
}

/** In the primary process: the sums over all workers, as Prometheus reads them. */
export function createClusterMetrics(): () => Promise<string> {
  const aggregator = new AggregatorRegistry();
  return () => aggregator.clusterMetrics();
}
