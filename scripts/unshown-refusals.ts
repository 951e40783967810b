// node scripts/unshown-refusals.ts FILE: prints the refusals that the contract lists and no test has shown, and fails
// where there are any. FILE is what the tests have written to REFUSALS_LOG.
import { readFileSync } from 'node:fs';
import { refusals } from '../src/contract/generated/refusals.ts';

const shown = new Set(readFileSync(process.argv[2] ?? '', 'utf8').split('\n'));
const unshown = Object.entries(refusals).flatMap(([operation, codes]) =>
  codes.filter((code) => !shown.has(`${operation} ${code}`)).map((code) => `${operation} ${code}`),
);
for (const line of unshown) console.log(line);
console.log(`${unshown.length} refusals are listed in schema.graphql and shown by no test.`);
process.exitCode = unshown.length > 0 ? 1 : 0;
