import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { SecretBox } from '../src/auth/secret-box.ts';
import { readSecretsFile } from '../src/auth/secrets-file.ts';
import { fromTypeId } from '../src/ids.ts';
import type { PostsMessage } from './bare-posts.ts';
import { Bench } from './bench.ts';
import type { Comparison } from './comparison.ts';
import { addReceivers, addWaiting, setActive } from './endpoints.ts';
import { type Goal, median, type Rounds } from './goals.ts';
import { inTurn } from './in-turn.ts';
import type { BenchOptions, DeliveryPart } from './options.ts';
import { cpuSeconds, cpuSecondsOfTree } from './process-figures.ts';
import type { SeededPlace } from './seed.ts';
import type { ReceivedPost, SinkAnswer, SinkMessage } from './sink.ts';
import type { Stage, StageOptions } from './stage.ts';

const BENCH_DIR = fileURLToPath(new URL('.', import.meta.url));

/** Endpoints that deliveries are counted for: 64 attempts at once. */
const COUNTED_ENDPOINTS = 8;
const IN_FLIGHT = COUNTED_ENDPOINTS * 8;
/** Deliveries of a measurement, for each of its seconds. */
const DELIVERIES_PER_SECOND = 4_000;
const RATE_GOAL: Goal = { atLeast: 0.5 };

/** Endpoints whose latencies are measured. With the bad ones an environment has no more than fifty. */
const OTHERS = 48;
/** Purchases a second while latencies are measured: far fewer than can be delivered. */
const PURCHASES_PER_SECOND = 4;
const LATENCY_GOAL: Goal = { atMost: 1.1 };
/** A latency is that of many purchases, whatever --seconds is. */
const LEAST_SECONDS = 10;
const BACKLOG = 100_000;

/** The measurements of deliveries, on a server of their own that may send to this machine. */
export async function measureDeliveries(
  { seconds, rounds, mostRounds, profileDir }: BenchOptions,
  parts: readonly DeliveryPart[],
  open: (options: StageOptions) => Promise<Stage>,
): Promise<{ comparisons: Comparison[]; bench: Bench; stage: Stage }> {
  const stage = await open({
    ...{ members: 100, keys: 100, items: 0, profileDir },
    settings: { WEBHOOK_ALLOW_PRIVATE: 'true' },
  });
  const bench = new Bench(stage);
  const sink = await Sink.open();
  const secrets = SecretBox.ofKeys([await readSecretsFile(stage.dataDir)]);
  const setting = { stage, bench, sink, secrets, rounds: { rounds, mostRounds } };
  const comparisons: Comparison[] = [];
  try {
    if (parts.includes('deliver')) comparisons.push(await measureRate(setting, seconds));
    for (const part of ['fair', 'backlog'] as const) {
      if (parts.includes(part)) comparisons.push(await measureLatency(setting, part, seconds));
    }
  } finally {
    sink.close();
  }
  return { comparisons, bench, stage };
}

interface Setting {
  stage: Stage;
  bench: Bench;
  sink: Sink;
  /** Of the server. */
  secrets: SecretBox;
  rounds: Rounds;
}

interface Rate {
  perSecond: number;
  /** µs each: of the sink, of the server and of Postgres. */
  cpu: readonly number[];
}

/** Deliveries of bodies to a sink, in relation to posts of the same bodies by undici alone. */
async function measureRate({ stage, sink, secrets, rounds }: Setting, seconds: number): Promise<Comparison> {
  const { pool, seeder } = stage;
  const { uuid } = await seeder.makePlace('Deliveries', 100, 1, undefined, 'sandbox');
  const urls = Array.from({ length: COUNTED_ENDPOINTS }, (_, index) => `${sink.origin}/${index}`);
  const endpoints = await addReceivers(pool, uuid, secrets, urls);
  const requests = Math.ceil(seconds * DELIVERIES_PER_SECOND);
  const bare = fork(join(BENCH_DIR, 'bare-posts.ts'));
  let samples: readonly ReceivedPost[] = [];
  const deliver = async (): Promise<Rate> => {
    await addWaiting(pool, uuid, endpoints, Math.ceil(requests / COUNTED_ENDPOINTS));
    const before = await cpuOf(stage, sink);
    const done = sink.count(requests);
    await setActive(pool, endpoints, true);
    const { perSecond, ...counted } = await done;
    samples = counted.samples;
    while (await anyWaiting(stage, uuid)) await sleep(50);
    await setActive(pool, endpoints, false);
    const after = await cpuOf(stage, sink);
    return { perSecond, cpu: after.map((value, index) => ((value - (before[index] ?? 0)) / requests) * 1e6) };
  };
  const post = async (): Promise<Rate> => {
    const done = sink.count(requests);
    const ended = once(bare, 'message');
    bare.send({ origin: sink.origin, samples, requests, inFlight: IN_FLIGHT } satisfies PostsMessage);
    const { perSecond } = await done;
    await ended;
    return { perSecond, cpu: [] };
  };
  // Both sides are warmed up alike. What the first one sends, the other one posts.
  await deliver();
  await post();
  const made = await inTurn<Rate>(
    {
      id: 'deliver',
      base: post,
      measured: deliver,
      figure: (measured, base) => measured.perSecond / (base as Rate).perSecond,
      goal: RATE_GOAL,
    },
    rounds,
  );
  bare.disconnect();
  return {
    id: 'deliver',
    title: 'Deliveries to a sink',
    unit: 'per second',
    conditions: `${COUNTED_ENDPOINTS} endpoints, ${IN_FLIGHT} at once`,
    measured: made.measured.map(({ perSecond }) => perSecond),
    against: { name: 'bare undici', values: made.base.map(({ perSecond }) => perSecond) },
    ratios: made.figures,
    goal: RATE_GOAL,
    rounds,
    latencyMs: null,
    cpu: [0, 1, 2]
      .map((index) =>
        Math.round(median(made.measured.map(({ cpu }) => cpu[index] ?? 0))).toLocaleString('en-US'),
      )
      .join(' + '),
  };
}

async function cpuOf({ serverPid, postmasterPid }: Stage, sink: Sink): Promise<number[]> {
  const figures = [cpuSeconds(sink.pid), cpuSeconds(serverPid), cpuSecondsOfTree(postmasterPid)];
  return (await Promise.all(figures)).map((figure) => figure ?? 0);
}

async function anyWaiting({ pool }: Stage, environmentId: string): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>(
    `select exists (
       select from webhook_deliveries where environment_id = $1 and status in ('pending', 'failed')
     ) as found`,
    [environmentId],
  );
  return rows[0]?.found ?? false;
}

/** What a bad endpoint does to the others, by the path of the sink. */
const BAD = {
  fair: { paths: ['/silent', '/slow'], title: 'p95 beside one that is silent and one of 10 s' },
  backlog: { paths: ['/behind'], title: `p95 beside one with ${BACKLOG.toLocaleString('en-US')} waiting` },
} as const;

interface Latencies {
  p50: number;
  p95: number;
  p99: number;
}

/**
 * From the writing of an event, a few ms before its commit, until 48 endpoints have received it: without the bad ones,
 * and beside them.
 */
async function measureLatency(
  setting: Setting,
  part: keyof typeof BAD,
  seconds: number,
): Promise<Comparison> {
  const { stage, bench, sink, secrets, rounds } = setting;
  const { pool } = stage;
  const place = await bench.makePlace(part, 100, 100, undefined, 'sandbox');
  const { paths, title } = BAD[part];
  const others = Array.from({ length: OTHERS }, (_, index) => `${sink.origin}/${index}`);
  const ids = await addReceivers(pool, place.uuid, secrets, [
    ...others,
    ...paths.map((path) => sink.origin + path),
  ]);
  const bad = ids.slice(OTHERS);
  await setActive(pool, ids.slice(0, OTHERS), true);
  const length = Math.max(seconds, LEAST_SECONDS);
  const measure = async (): Promise<Latencies> => {
    sink.send({ kind: 'watch' });
    await bench.measure('o', length, 16, { at: [place], arrivalsPerSecond: PURCHASES_PER_SECOND });
    await sleep(1_000);
    return latenciesOf(stage, place, bad, await sink.receipts());
  };
  const without = async (): Promise<Latencies> => {
    await setActive(pool, bad, false);
    // What they hold ends, so that they take no part.
    sink.send({ kind: 'drop' });
    await pool.query(
      `update webhook_deliveries set status = 'dead_letter', next_attempt_at = null
       where endpoint_id = any ($1) and status in ('pending', 'failed')`,
      [bad],
    );
    await sleep(1_500);
    return measure();
  };
  const beside = async (): Promise<Latencies> => {
    if (part === 'backlog') {
      await addWaiting(pool, place.uuid, bad, BACKLOG);
      bench.acknowledge(place.uuid, { events: BACKLOG });
    }
    await setActive(pool, bad, true);
    await sleep(1_500);
    return measure();
  };
  await without();
  await beside();
  const made = await inTurn<Latencies>(
    {
      id: part,
      base: without,
      measured: beside,
      figure: (measured, base) => measured.p95 / (base as Latencies).p95,
      goal: LATENCY_GOAL,
    },
    rounds,
  );
  await without();
  const middle = (name: keyof Latencies): number => median(made.measured.map((each) => each[name]));
  return {
    id: part,
    title,
    unit: 'ms',
    conditions: `${OTHERS} others, ${PURCHASES_PER_SECOND} purchases a second, ${length} s`,
    measured: made.measured.map(({ p95 }) => p95),
    against: { name: 'without', values: made.base.map(({ p95 }) => p95) },
    ratios: made.figures,
    goal: LATENCY_GOAL,
    rounds,
    latencyMs: [middle('p50'), middle('p95'), middle('p99')],
    cpu: null,
  };
}

/** @param receipts webhook-id and time of every request. @throws where something did not arrive */
async function latenciesOf(
  { pool }: Stage,
  { uuid }: SeededPlace,
  bad: readonly string[],
  receipts: readonly (readonly [id: string, at: number])[],
): Promise<Latencies> {
  const receivedAt = new Map(receipts.map(([id, at]) => [fromTypeId('msg', id), at]));
  const { rows } = await pool.query<{ id: string; at: number }>(
    `select d.id, (extract(epoch from e.written_at) * 1000)::float8 as at
     from webhook_deliveries d
     join events e on e.environment_id = d.environment_id and e.id = d.event_id
     where d.environment_id = $1 and d.endpoint_id <> all ($2) and d.id = any ($3)`,
    [uuid, bad, [...receivedAt.keys()]],
  );
  const latencies = rows.map(({ id, at }) => (receivedAt.get(id) ?? Number.NaN) - at).sort((a, b) => a - b);
  if (latencies.length === 0) throw new Error('Nothing was received');
  const percentile = (part: number): number => latencies[Math.ceil(latencies.length * part) - 1] as number;
  return { p50: percentile(0.5), p95: percentile(0.95), p99: percentile(0.99) };
}

/** The process that deliveries go to. */
class Sink {
  readonly #child: ChildProcess;
  readonly origin: string;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.origin = `http://127.0.0.1:${port}`;
  }

  static async open(): Promise<Sink> {
    const child = fork(join(BENCH_DIR, 'sink.ts'));
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    return new Sink(child, port);
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  send(message: SinkMessage): void {
    this.#child.send(message);
  }

  /** @returns when so many requests have come */
  async count(requests: number) {
    this.send({ kind: 'count', requests });
    return this.#answer('counted');
  }

  async receipts() {
    this.send({ kind: 'receipts' });
    return (await this.#answer('receipts')).receipts;
  }

  close(): void {
    this.#child.disconnect();
  }

  async #answer<Kind extends SinkAnswer['kind']>(kind: Kind): Promise<Extract<SinkAnswer, { kind: Kind }>> {
    const signal = AbortSignal.timeout(300_000);
    for (;;) {
      const [answer] = (await once(this.#child, 'message', { signal })) as [SinkAnswer];
      if (answer.kind === kind) return answer as Extract<SinkAnswer, { kind: Kind }>;
    }
  }
}
