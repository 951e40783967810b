import { LRUCache } from 'lru-cache';
import type { Outcome } from '../ledger/command.ts';

/** Customers that are remembered at once. The next row of a forgotten customer is only treated as a first row again. */
export const MOST_CUSTOMERS = 100_000;

/**
 * Submits the first row of each customer alone: no other row of the customer is submitted before it has ended. Rows
 * after it are in flight together, and the writer's lane keeps their order.
 */
export function firstRowsAlone<Input>(
  customerOf: (input: Input) => string,
  submit: (input: Input) => Promise<Outcome>,
): (input: Input) => Promise<Outcome> {
  const opened = new LRUCache<string, Promise<void>>({ max: MOST_CUSTOMERS });
  return (input) => {
    const customer = customerOf(input);
    const before = opened.get(customer);
    if (before) return before.then(() => submit(input));
    const first = submit(input);
    opened.set(customer, first.then(ignore, ignore));
    return first;
  };
}

function ignore(): void {}
