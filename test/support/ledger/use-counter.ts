import type { Writer } from '../../../src/ledger/batch/writer.ts';
import { fixture } from '../fixture.ts';
import { Counter } from './counter.ts';

/** A counter for all tests of a file. @param options of its database */
export function useCounter(options?: Parameters<typeof Counter.open>[0]): Counter {
  return fixture(
    'the counter',
    () => Counter.open(options),
    (counter) => counter.close(),
  );
}

/** A writer of a counter. @param options of the writer */
export function useWriter(counter: Counter, options?: Parameters<Counter['writer']>[0]): Writer {
  return fixture('the writer', () => counter.writer(options));
}
