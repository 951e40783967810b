import { type Refusal, refuse } from '../refusal.ts';
import type { Queries } from './queries.ts';

/** The reads of the service, each of which may also be refused as `overloaded`. */
export type BoundedQueries = {
  [Read in keyof Queries]: (
    ...args: Parameters<Queries[Read]>
  ) => Promise<Awaited<ReturnType<Queries[Read]>> | Refusal>;
};

/** The highest number of reads of one environment that wait or run in a process at the same time. */
const MOST_READS = 1_000;

const overloaded = refuse(
  'overloaded',
  'Too many reads of this environment are waiting. Nothing was done: send it again after Retry-After.',
);

/**
 * Refuses a read where `limit` reads of its environment wait or run already. Nothing has been done for the read then.
 * @param limit the limit for each environment
 */
export function boundQueries(queries: Queries, limit = MOST_READS): BoundedQueries {
  const underWay = new Map<string, number>();

  function bound<Rest extends unknown[], Result>(
    read: (environmentId: string, ...rest: Rest) => Promise<Result>,
  ): (environmentId: string, ...rest: Rest) => Promise<Result | Refusal> {
    return async (environmentId, ...rest) => {
      const before = underWay.get(environmentId) ?? 0;
      if (before >= limit) return overloaded;
      underWay.set(environmentId, before + 1);
      try {
        return await read(environmentId, ...rest);
      } finally {
        const remaining = (underWay.get(environmentId) ?? 0) - 1;
        if (remaining > 0) underWay.set(environmentId, remaining);
        else underWay.delete(environmentId);
      }
    };
  }

  const reads = Object.entries(queries) as [
    string,
    (environmentId: string, ...rest: unknown[]) => Promise<unknown>,
  ][];
  return Object.fromEntries(reads.map(([name, read]) => [name, bound(read)])) as BoundedQueries;
}
