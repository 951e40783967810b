/** The tests that run on Citus: commands, reads and jobs through the service, without SQL of their own that Citus refuses. */
export const SUITES: readonly string[] = ['test/ledger/batch/writer.test.ts'];
