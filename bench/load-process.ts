import { runBaseline } from './baseline.ts';
import { runHttpLoad } from './http-load.ts';
import { httpScenario } from './requests.ts';
import type { Job, Measurement, Target } from './scenarios.ts';

// The load runs in a process of its own, so that its CPU time can be told from that of the measured server.

/** A message to the load process: the target once, then jobs, one after the other. */
export type LoadMessage = { kind: 'target'; target: Target } | { kind: 'job'; job: Job };

/** The response of the load process to a job. */
export type LoadAnswer = { measurement: Measurement } | { failure: string };

let target: Target | null = null;
/** Ids of all quotes that were made, redeemed or not, in the order of their responses. */
const quotes: string[] = [];

process.on('message', (message: LoadMessage) => {
  if (message.kind === 'target') target = message.target;
  else void answer(message.job);
});
process.on('disconnect', () => process.exit(0));

async function answer(job: Job): Promise<void> {
  const sent = await run(job).then(
    (measurement): LoadAnswer => ({ measurement }),
    (error: Error): LoadAnswer => ({ failure: error.message }),
  );
  process.send?.(sent);
}

function run(job: Job): Promise<Measurement> {
  if (!target) throw new Error('A job came before its target');
  if (job.scenario === 'a') return runBaseline(target, job);
  return runHttpLoad(httpScenario(job.scenario, target, job, quotes), job);
}
