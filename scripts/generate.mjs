// npm run generate: writes all generated files that are committed.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installMissing, PROJECT_DIR } from './launch.mjs';

installMissing({ development: true });
const node = join(PROJECT_DIR, 'node_modules/node/bin/node');
run([join(PROJECT_DIR, 'codegen/generate.ts')]);
run([join(PROJECT_DIR, 'codegen/generate-data-model.ts')]);
// Prisma would download an engine that only its migrations need. With any file named here it does not.
run(['node_modules/prisma/build/index.js', 'generate', '--no-hints'], { PRISMA_SCHEMA_ENGINE_BINARY: node });

function run(args, extra = {}) {
  const { status } = spawnSync(node, args, {
    cwd: PROJECT_DIR,
    stdio: 'inherit',
    env: { ...process.env, ...extra },
  });
  if (status !== 0) process.exit(status ?? 1);
}
