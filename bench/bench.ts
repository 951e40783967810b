import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProgramDocument } from '../src/programs/document/program-document.ts';
import { type Acknowledged, type AuditedEnvironment, audit, NOTHING, type Problems } from './audit.ts';
import type { LoadAnswer, LoadMessage } from './load-process.ts';
import { cpuSeconds, cpuSecondsOfTree, type Figure } from './process-figures.ts';
import type { Job, Measurement, OfPlace, ScenarioId } from './scenarios.ts';
import type { SeededPlace } from './seed.ts';
import type { Stage } from './stage.ts';

const SETTLE_MS = 200;

/** CPU seconds used during a measurement: by the load, by the measured server, by Postgres. */
export interface CpuUse {
  load: Figure;
  server: Figure;
  postgres: Figure;
}

export type Measured = Measurement & { cpu: CpuUse };

/** What a measurement may have of its own. */
export interface Particulars {
  /** The environments, where it is not the stage's first one. */
  at?: readonly SeededPlace[];
  /** Of a second page. */
  cursor?: string;
  /** The most requests that a measurement sends: its share of what was prepared. */
  most?: number;
  /** The rate of requests that do not wait for each other. */
  arrivalsPerSecond?: number;
}

/** Runs measurements on a stage and counts what was acknowledged. */
export class Bench {
  readonly #stage: Stage;
  readonly #next = new Map<ScenarioId, number>();
  readonly #audited = new Map<string, AuditedEnvironment>();

  constructor(stage: Stage) {
    this.#stage = stage;
    const { load, target, environmentId, baselineEnvironmentId } = stage;
    this.#watch(environmentId, 'Service');
    this.#watch(baselineEnvironmentId, 'Baseline');
    // The first purchase, which opening the stage has sent.
    this.acknowledge(environmentId, {
      purchases: 1,
      points: target.baseline.receipt.award.points,
      events: 1,
    });
    load.send({ kind: 'target', target } satisfies LoadMessage);
  }

  /** Creates another environment on the same stage. @param document its program; the seeder's plain one where absent */
  async makePlace(
    name: string,
    members: number,
    keys: number,
    document?: ProgramDocument,
    kind?: 'production' | 'sandbox',
  ): Promise<SeededPlace> {
    const made = await this.#stage.seeder.makePlace(name, members, keys, document, kind);
    this.#watch(made.uuid, name);
    return made;
  }

  /** @throws where any response is not as expected */
  async measure(
    scenario: ScenarioId,
    seconds: number,
    connections: number,
    { at = [], cursor, most, arrivalsPerSecond }: Particulars = {},
  ): Promise<Measured> {
    const first = this.#next.get(scenario) ?? 0;
    const recorded = this.#next.get('b') ?? 0;
    if (scenario === 'f' && recorded === 0) throw new Error('There is nothing to replay yet');
    const before = await this.#cpu(scenario);
    const measurement = await this.#send({
      scenario,
      seconds,
      connections,
      first,
      recorded,
      places: at.map(({ place }) => place),
      cursor: cursor ?? null,
      most: most ?? null,
      arrivalsPerSecond: arrivalsPerSecond ?? null,
    });
    // What the server does after its answers, such as numbering events, is over by then, and its CPU time is counted.
    await sleep(SETTLE_MS);
    const after = await this.#cpu(scenario);
    this.#next.set(scenario, first + measurement.requests);
    const { environmentId, baselineEnvironmentId } = this.#stage;
    const own = scenario === 'a' ? baselineEnvironmentId : environmentId;
    for (const [index, answered] of measurement.byPlace.entries()) {
      this.acknowledge(at[index]?.uuid ?? own, acknowledgedBy(scenario, answered));
    }
    const cpu = {
      load: difference(after.load, before.load),
      server: difference(after.server, before.server),
      postgres: difference(after.postgres, before.postgres),
    };
    return { ...measurement, cpu };
  }

  /** Adds to what the audit expects. @param environmentId UUID */
  acknowledge(environmentId: string, more: Partial<Acknowledged>): void {
    const environment = this.#audited.get(environmentId);
    if (!environment) throw new Error(`${environmentId} is not of this stage`);
    const sum = { ...environment.acknowledged };
    for (const name of Object.keys(sum) as (keyof Acknowledged)[]) sum[name] += more[name] ?? 0;
    environment.acknowledged = sum;
  }

  /** What was acknowledged so far in all environments, including the baseline's. */
  get acknowledged(): Acknowledged {
    const sum = { ...NOTHING };
    for (const { acknowledged } of this.#audited.values()) {
      for (const name of Object.keys(sum) as (keyof Acknowledged)[]) sum[name] += acknowledged[name];
    }
    return sum;
  }

  audit(): Promise<Problems> {
    return audit(this.#stage.pool, [...this.#audited.values()]);
  }

  #watch(environmentId: string, name: string): void {
    this.#audited.set(environmentId, { name, environmentId, acknowledged: NOTHING });
  }

  async #send(job: Job): Promise<Measurement> {
    const { load } = this.#stage;
    const answered = once(load, 'message', { signal: AbortSignal.timeout(job.seconds * 1000 + 60_000) });
    load.send({ kind: 'job', job } satisfies LoadMessage);
    const [answer] = (await answered) as [LoadAnswer];
    if ('failure' in answer) throw new Error(`Scenario ${job.scenario}: ${answer.failure}`);
    return answer.measurement;
  }

  async #cpu(scenario: ScenarioId): Promise<CpuUse> {
    const { load, serverPid, barePid, postmasterPid } = this.#stage;
    const [ofLoad, server, postgres] = await Promise.all([
      cpuSeconds(load.pid as number),
      scenario === 'a' || scenario === 't0' ? null : cpuSeconds(scenario === 'e0' ? barePid : serverPid),
      cpuSecondsOfTree(postmasterPid),
    ]);
    return { load: ofLoad, server, postgres };
  }
}

function acknowledgedBy(scenario: ScenarioId, { requests, points }: OfPlace): Partial<Acknowledged> {
  switch (scenario) {
    case 'a':
      return { purchases: requests, points };
    case 'b':
    case 'c':
    case 'd':
    case 'j':
    case 'k0':
    case 'k':
    case 'm':
    case 'o':
    case 'w1':
    case 'w5':
    case 'z':
      return { purchases: requests, points, events: requests };
    case 'g0':
      return { quotes: requests };
    case 'g':
      return { redemptions: requests, redeemedPoints: points };
    case 'h':
      return { returns: requests, clawedBackPoints: points };
    default:
      return {};
  }
}

function difference(after: Figure, before: Figure): Figure {
  return after === null || before === null ? null : after - before;
}
