/**
 * The tests that run on Citus: commands, reads and jobs through the service, without SQL of their own that Citus
 * refuses.
 */
export const SUITES: readonly string[] = [
  'test/ledger/batch/writer.test.ts',
  'test/ledger/controls/since-day.test.ts',
  'test/surfaces/members.test.ts',
  'test/surfaces/transactions.test.ts',
  'test/surfaces/returns.test.ts',
  'test/surfaces/events-feed.test.ts',
  'test/surfaces/redemptions/pay-with-points.test.ts',
  'test/surfaces/redemptions/redemptions.test.ts',
  'test/surfaces/labels.test.ts',
  'test/jobs/runner.test.ts',
  'test/jobs/empty-payloads.test.ts',
  'test/jobs/notice-expiries.test.ts',
  'test/jobs/seal-audit.test.ts',
  'test/jobs/sweep.test.ts',
  'test/jobs/remove-quotes.test.ts',
  'test/jobs/requalify.test.ts',
  'test/protocol/key-expiry.test.ts',
  'test/queries/reports/ledger-close.test.ts',
  'test/queries/reports/ledger-summary.test.ts',
  'test/queries/reports/roll-up.test.ts',
  'test/export/export.test.ts',
  'test/webhooks/sequencer.test.ts',
];
