// npm run generate: writes all generated files that are committed.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientSchema } from '../codegen/client-schema.mjs';
import { installMissing, PROJECT_DIR } from './launch.mjs';

installMissing({ development: true });
const node = join(PROJECT_DIR, 'node_modules/node/bin/node');
run([join(PROJECT_DIR, 'codegen/generate.ts')]);
run([join(PROJECT_DIR, 'codegen/generate-data-model.ts')]);
run([join(PROJECT_DIR, 'codegen/generate-licences.ts')]);
generateClient();

function generateClient() {
  // Beside the whole schema: the generator's output is relative to it.
  const path = join(PROJECT_DIR, 'prisma/.client.prisma');
  writeFileSync(path, clientSchema(readFileSync(join(PROJECT_DIR, 'prisma/schema.prisma'), 'utf8')));
  try {
    const command = ['node_modules/prisma/build/index.js', 'generate', '--no-hints', '--schema', path];
    // Prisma would download an engine that only its migrations need. With any file named here it does not.
    run(command, { PRISMA_SCHEMA_ENGINE_BINARY: node });
  } finally {
    rmSync(path);
  }
}

function run(args, extra = {}) {
  const { status } = spawnSync(node, args, {
    cwd: PROJECT_DIR,
    stdio: 'inherit',
    env: { ...process.env, ...extra },
  });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`);
}
