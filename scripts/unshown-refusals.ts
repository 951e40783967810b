// node scripts/unshown-refusals.ts FILE: holds the refusals that the tests have shown against those that the contract
// lists. FILE is what the tests have written to REFUSALS_LOG. It fails where one is shown by no test and not known for
// that.
import { readFileSync } from 'node:fs';
import { refusals } from '../src/contract/generated/refusals.ts';
import { UNSHOWN } from '../test/support/unshown-refusals.ts';

const shown = new Set(readFileSync(process.argv[2] ?? '', 'utf8').split('\n'));
const listed = Object.entries(refusals).flatMap(([operation, codes]) =>
  codes.map((code) => `${operation} ${code}`),
);
const known = new Set(
  Object.entries(UNSHOWN).flatMap(([operation, codes]) => codes.map((code) => `${operation} ${code}`)),
);
const unknown = listed.filter((refusal) => !shown.has(refusal) && !known.has(refusal));
const outdated = [...known].filter((refusal) => shown.has(refusal) || !listed.includes(refusal));
for (const refusal of unknown) console.log(`shown by no test: ${refusal}`);
for (const refusal of outdated) console.log(`can leave test/support/unshown-refusals.ts: ${refusal}`);
console.log(
  `${listed.length} refusals are listed, ${listed.filter((refusal) => shown.has(refusal)).length} are shown.`,
);
process.exitCode = unknown.length > 0 ? 1 : 0;
