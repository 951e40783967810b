import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Acknowledged, audit, type Problems } from './audit.ts';
import type { LoadAnswer, LoadMessage } from './load-process.ts';
import { cpuSeconds, cpuSecondsOfTree, type Figure } from './process-figures.ts';
import type { Job, Measurement, ScenarioId } from './scenarios.ts';
import type { Stage } from './stage.ts';

const SETTLE_MS = 200;

/** CPU seconds used during a measurement: by the load, by what it was sent to, by Postgres. */
export interface CpuUse {
  load: Figure;
  server: Figure;
  postgres: Figure;
}

export type Measured = Measurement & { cpu: CpuUse };

/** Runs measurements on a stage and keeps count of what was acknowledged. */
export class Bench {
  readonly #stage: Stage;
  readonly #next = new Map<ScenarioId, number>();
  readonly #service: Acknowledged;
  readonly #baseline: Acknowledged = { purchases: 0, points: 0 };

  constructor(stage: Stage) {
    this.#stage = stage;
    const { load, target } = stage;
    // The purchase that the stage began with.
    this.#service = { purchases: 1, points: target.baseline.receipt.award.points };
    load.send({ kind: 'target', target } satisfies LoadMessage);
  }

  /** @throws where a single answer was not as it should be */
  async measure(scenario: ScenarioId, seconds: number, connections: number): Promise<Measured> {
    const first = this.#next.get(scenario) ?? 0;
    const recorded = this.#next.get('b') ?? 0;
    if (scenario === 'f' && recorded === 0) throw new Error('There is nothing to replay yet');
    const before = await this.#cpu(scenario);
    const measurement = await this.#send({ scenario, seconds, connections, first, recorded });
    // Connections that the load closed: their processes end, and their time becomes the postmaster's.
    await sleep(SETTLE_MS);
    const after = await this.#cpu(scenario);
    this.#next.set(scenario, first + measurement.requests);
    this.#acknowledge(scenario, measurement);
    const cpu = {
      load: difference(after.load, before.load),
      server: difference(after.server, before.server),
      postgres: difference(after.postgres, before.postgres),
    };
    return { ...measurement, cpu };
  }

  /** Purchases that were acknowledged so far, the baseline's included. */
  get purchases(): number {
    return this.#service.purchases + this.#baseline.purchases;
  }

  audit(): Promise<Problems> {
    const { pool, seed } = this.#stage;
    return audit(pool, [
      { name: 'Service', environmentId: seed.environmentId, acknowledged: this.#service },
      { name: 'Baseline', environmentId: seed.baselineEnvironmentId, acknowledged: this.#baseline },
    ]);
  }

  async #send(job: Job): Promise<Measurement> {
    const { load } = this.#stage;
    const answered = once(load, 'message', { signal: AbortSignal.timeout(job.seconds * 1000 + 60_000) });
    load.send({ kind: 'job', job } satisfies LoadMessage);
    const [answer] = (await answered) as [LoadAnswer];
    if ('failure' in answer) throw new Error(`Scenario ${job.scenario}: ${answer.failure}`);
    return answer.measurement;
  }

  #acknowledge(scenario: ScenarioId, { requests, points }: Measurement): void {
    if (scenario === 'e' || scenario === 'e0' || scenario === 'f') return;
    const acknowledged = scenario === 'a' ? this.#baseline : this.#service;
    acknowledged.purchases += requests;
    acknowledged.points += points;
  }

  async #cpu(scenario: ScenarioId): Promise<CpuUse> {
    const { load, serverPid, barePid, postmasterPid } = this.#stage;
    const [ofLoad, server, postgres] = await Promise.all([
      cpuSeconds(load.pid as number),
      scenario === 'a' ? null : cpuSeconds(scenario === 'e0' ? barePid : serverPid),
      cpuSecondsOfTree(postmasterPid),
    ]);
    return { load: ofLoad, server, postgres };
  }
}

function difference(after: Figure, before: Figure): Figure {
  return after === null || before === null ? null : after - before;
}
