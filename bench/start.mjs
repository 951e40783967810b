// npm run bench: installs missing packages, then measures under the Node that is pinned.
import { join } from 'node:path';
import { installMissing, PROJECT_DIR, runPinnedNode } from '../scripts/launch.mjs';

installMissing({ development: true });
runPinnedNode([join(PROJECT_DIR, 'bench', 'run.ts'), ...process.argv.slice(2)]);
