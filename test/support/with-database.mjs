// Prints the test files in folders that use the database of the test run: those that import, be it through others,
// `test/support/cluster.ts`, which alone knows where that is. On another version of Postgres all others do the same
// again.
//
//   node test/support/with-database.mjs test/db test/ledger
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const DATABASE = join('test', 'support', 'cluster.ts');
const IMPORT = /(?:\bfrom|\bimport|\bimport\s*\()\s*['"](\.[^'"]+)['"]/g;

/** Whether what the file imports, with what that imports, includes the database of the test run. */
function usesDatabase(file) {
  const reached = new Set([file]);
  for (const each of reached) {
    for (const [, imported] of readFileSync(each, 'utf8').matchAll(IMPORT)) {
      const found = join(dirname(each), imported);
      if (found.startsWith('test/') && existsSync(found)) reached.add(found);
    }
  }
  return reached.has(DATABASE);
}

for (const folder of process.argv.slice(2)) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    const file = join(folder, name);
    if (file.endsWith('.test.ts') && usesDatabase(file)) process.stdout.write(`${file}\n`);
  }
}
