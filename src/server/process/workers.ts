import cluster, { type Worker } from 'node:cluster';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/open-database.ts';
import type { GraphiqlOptions } from '../../graphql/graphiql.ts';
import { countRatesForWorkers } from '../../http/rate-limit.ts';
import type { DemoShop } from '../pages/demo-shop.ts';
import { createClusterMetrics } from '../service/metrics.ts';
import type { RunningServer } from './http-server.ts';

/** The settings that a worker gets at its start, over a channel that no other process can read. */
export interface WorkerSettings {
  kind: 'settings';
  config: Config;
  database: Pick<Database, 'serverUrl' | 'serverRole' | 'operatorUrl' | 'operatorRole'>;
  graphiql: GraphiqlOptions;
  demoShop: DemoShop | null;
}

/** Messages of a worker to the primary. `metrics` asks for those of all workers. */
export type WorkerMessage =
  | { kind: 'listening'; url: string }
  | { kind: 'failed'; message: string }
  | { kind: 'metrics'; id: number };

/** Messages of the primary to a worker, after the settings. */
export type PrimaryMessage = { kind: 'stop' } | { kind: 'metrics'; id: number; text: string };

const RESTART_AFTER_MS = 1_000;

/** Serves with several processes behind one port. A process that dies is replaced. */
export async function startWorkers(settings: Omit<WorkerSettings, 'kind'>): Promise<RunningServer> {
  cluster.setupPrimary({ exec: fileURLToPath(new URL('worker.ts', import.meta.url)), args: [] });
  countRatesForWorkers();
  const metrics = createClusterMetrics();
  let stopping = false;
  const exits = new Set<Promise<void>>();
  const start = (): Promise<string> => {
    const worker = cluster.fork();
    const exit = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    exits.add(exit);
    void exit.then(() => exits.delete(exit));
    worker.send({ kind: 'settings', ...settings } satisfies WorkerSettings);
    return new Promise((resolve, reject) => {
      worker.on('message', (message: WorkerMessage) => {
        if (message.kind === 'listening') resolve(message.url);
        else if (message.kind === 'failed') reject(new Error(message.message));
        else if (message.kind === 'metrics') void answerMetrics(worker, message.id, metrics);
      });
      worker.once('exit', () => {
        reject(new Error('A worker ended before it listened'));
        if (!stopping) setTimeout(() => !stopping && start().catch(() => undefined), RESTART_AFTER_MS);
      });
    });
  };
  const stop = async (): Promise<void> => {
    stopping = true;
    for (const worker of Object.values(cluster.workers ?? {})) {
      if (worker?.isConnected()) worker.send({ kind: 'stop' } satisfies PrimaryMessage);
    }
    await Promise.all(exits);
  };
  try {
    const [url = ''] = await Promise.all(Array.from({ length: settings.config.workers }, start));
    return { url, metrics, close: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function answerMetrics(worker: Worker, id: number, metrics: () => Promise<string>): Promise<void> {
  const text = await metrics().catch(() => '');
  if (worker.isConnected()) worker.send({ kind: 'metrics', id, text } satisfies PrimaryMessage);
}
