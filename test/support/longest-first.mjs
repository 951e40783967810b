import SequencerBySize from '@jest/test-sequencer';

/** Tests of half a minute and more. */
const LONGEST = [
  'history/cdnow.test.ts',
  'drills/many-nodes.long.test.ts',
  'drills/paused-node.long.test.ts',
  'process/webhook-kills.test.ts',
  'history/two-imports.test.ts',
  'ledger/batch/interleavings.long.test.ts',
  'ledger/batch/failing-driver.long.test.ts',
  'process/shutdown.test.ts',
  'db/embedded-postgres.long.test.ts',
  'process/kill.test.ts',
  'process/database-outage.test.ts',
];

/**
 * The order of the files. Where jest has no times of an earlier run, as in a fresh clone, it begins with the largest
 * files: one of the longest could come last then, and leave the other workers with nothing to do.
 */
export default class LongestFirst extends SequencerBySize {
  sort(tests) {
    return super.sort(tests).toSorted((a, b) => place(a) - place(b));
  }
}

function place({ path }) {
  const found = LONGEST.findIndex((file) => path.endsWith(`/test/${file}`));
  return found < 0 ? LONGEST.length : found;
}
