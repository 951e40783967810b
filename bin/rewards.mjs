#!/usr/bin/env node
// The command line: installs what is missing, then runs src/cli/main.ts under the pinned Node.
import { join } from 'node:path';
import {
  IMPORT_V8_OPTIONS,
  installMissing,
  PROJECT_DIR,
  runPinnedNode,
  V8_OPTIONS,
} from '../scripts/launch.mjs';

installMissing({ development: false });
const args = process.argv.slice(2);
const options = args[0] === 'import' ? IMPORT_V8_OPTIONS : V8_OPTIONS;
runPinnedNode([...options, join(PROJECT_DIR, 'src', 'cli', 'main.ts'), ...args]);
