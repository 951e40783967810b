// npm run simulate: installs missing packages, then runs the simulator.
import { join } from 'node:path';
import { installMissing, PROJECT_DIR, runPinnedNode } from './launch.mjs';

installMissing({ development: false });
runPinnedNode([join(PROJECT_DIR, 'simulator', 'run', 'main.ts'), ...process.argv.slice(2)]);
