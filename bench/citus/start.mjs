// npm run bench:citus: installs missing packages, then runs under the Node that is pinned.
import { join } from 'node:path';
import { installMissing, PROJECT_DIR, runPinnedNode } from '../../scripts/launch.mjs';

installMissing({ development: true });
runPinnedNode(['--no-warnings', join(PROJECT_DIR, 'bench', 'citus', 'run.ts'), ...process.argv.slice(2)]);
