// npm test: installs missing packages, then runs all tests, or those that the arguments name.
import { join } from 'node:path';
import { installMissing, PROJECT_DIR, runPinnedNode } from './launch.mjs';

installMissing({ development: true });
// Jest runs ES modules in Node's vm, which needs this flag; the warning about it is of no use.
const args = [
  '--experimental-vm-modules',
  '--no-warnings',
  join(PROJECT_DIR, 'node_modules/jest/bin/jest.js'),
];
runPinnedNode([...args, '--rootDir', PROJECT_DIR, ...process.argv.slice(2)]);
