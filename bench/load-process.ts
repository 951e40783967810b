import { FirstReceipts } from './answer-checks.ts';
import { baselineCalls } from './baseline.ts';
import { Credentials } from './customers.ts';
import type { DirectCalls } from './direct-calls.ts';
import { runHttpLoad } from './http-load.ts';
import { pgledgerCalls } from './pgledger.ts';
import { httpScenario, type LoadMemory } from './requests.ts';
import type { Job, Measurement, Place, Target } from './scenarios.ts';

// The load runs in a process of its own, so that its CPU time can be told from that of the measured server.

/** A message to the load process: the target once, then jobs, one after the other. */
export type LoadMessage = { kind: 'target'; target: Target } | { kind: 'job'; job: Job };

/** The response of the load process to a job. */
export type LoadAnswer = { measurement: Measurement } | { failure: string };

let target: Target | null = null;
let baseline: DirectCalls | null = null;
let pgledger: DirectCalls | null = null;
let customers: Credentials | null = null;
const memory: LoadMemory = { quotes: [], receipts: new FirstReceipts(), credentials: [] };

process.on('message', (message: LoadMessage) => {
  if (message.kind === 'job') {
    void answer(message.job);
    return;
  }
  target = message.target;
  baseline = baselineCalls(target);
  pgledger = target.pgledger && pgledgerCalls(target.pgledger);
  customers = new Credentials(target);
});
process.on('disconnect', () => process.exit(0));

async function answer(job: Job): Promise<void> {
  const sent = await run(job).then(
    (measurement): LoadAnswer => ({ measurement }),
    (error: Error): LoadAnswer => ({ failure: error.message }),
  );
  process.send?.(sent);
}

async function run(job: Job): Promise<Measurement> {
  if (!target || !baseline || !customers) throw new Error('A job came before its target');
  const { scenario, places } = job;
  if (scenario === 'a') return baseline.run(job);
  if (scenario === 't0') {
    if (!pgledger) throw new Error('There is no pgledger');
    return pgledger.run(job);
  }
  if (scenario === 'l') memory.credentials = await customers.tokens();
  if (scenario === 's') memory.credentials = await customers.sessions();
  const sides: readonly Place[] = places.length > 0 ? places : [target];
  const requests = sides.map((place) =>
    httpScenario(scenario, { ...(target as Target), ...place }, job, memory),
  );
  return runHttpLoad(requests, job);
}
