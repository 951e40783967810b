import { appendFileSync } from 'node:fs';
import { type Counter, register } from 'prom-client';
import { isListed } from '../../src/server/service/refusals.ts';

/** The counter of the refusals of the server that was started last. */
export function seenRefusals(): Counter {
  const counter = register.getSingleMetric('rewards_refusals_total');
  if (!counter) throw new Error('the server counts no refusals');
  return counter as Counter;
}

/**
 * Holds what a server has refused against the contract: nothing leaves an operation that the contract does not list for
 * it. Where REFUSALS_LOG names a file, what was seen is added to it, a line for each operation and code
 * (`scripts/unshown-refusals.ts`).
 * @throws where an operation was refused with a code that the contract does not list for it
 */
export async function checkRefusals(counter: Counter): Promise<void> {
  const { values } = await counter.get();
  const seen = values.flatMap(({ labels: { operation = '', code = '' } }) =>
    operation === '' ? [] : [{ operation: String(operation), code: String(code) }],
  );
  const log = process.env.REFUSALS_LOG;
  if (log) appendFileSync(log, seen.map(({ operation, code }) => `${operation} ${code}\n`).join(''));
  const unlisted = seen.filter(({ operation, code }) => !isListed(operation, code));
  if (unlisted.length > 0) {
    throw new Error(`schema.graphql does not list for their operations: ${JSON.stringify(unlisted)}`);
  }
}
