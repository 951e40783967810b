// npm run simulate: installs what is missing, then runs the simulator.
import { join } from 'node:path';
import { installMissing, PROJECT_DIR, runPinnedNode } from './launch.mjs';

installMissing({ development: false });
runPinnedNode([join(PROJECT_DIR, 'src', 'simulator', 'run', 'main.ts'), ...process.argv.slice(2)]);
