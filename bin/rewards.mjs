#!/usr/bin/env node
// The command line: installs what is missing, then runs src/cli/main.ts under the pinned Node.
import { join } from 'node:path';
import { installMissing, PROJECT_DIR, runPinnedNode } from '../scripts/launch.mjs';

installMissing({ development: false });
runPinnedNode([join(PROJECT_DIR, 'src', 'cli', 'main.ts'), ...process.argv.slice(2)]);
