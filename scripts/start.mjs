// npm start: installs what is missing, then serves with the demo.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installMissing, PROJECT_DIR, runPinnedNode } from './install.mjs';

installMissing({ development: false });
const followParent = pathToFileURL(join(PROJECT_DIR, 'scripts', 'follow-parent.mjs')).href;
const args = ['--import', followParent, join(PROJECT_DIR, 'src', 'cli', 'main.ts'), 'serve', '--demo'];
runPinnedNode([...args, ...process.argv.slice(2)], { follow: true });
