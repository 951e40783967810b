// npm start: installs missing packages, then serves with the demo.
import { join } from 'node:path';
import { installMissing, PROJECT_DIR, runPinnedNode, V8_OPTIONS } from './launch.mjs';

installMissing({ development: false });
runPinnedNode([
  ...V8_OPTIONS,
  join(PROJECT_DIR, 'src', 'cli', 'main.ts'),
  'serve',
  '--demo',
  ...process.argv.slice(2),
]);
