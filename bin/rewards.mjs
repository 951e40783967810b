#!/usr/bin/env node
// The command line: installs what is missing, then runs src/cli/main.ts under the pinned Node.
import { join } from 'node:path';
import { installMissing, PROJECT_DIR, runPinnedNode, V8_OPTIONS } from '../scripts/launch.mjs';

installMissing({ development: false });
runPinnedNode([...V8_OPTIONS, join(PROJECT_DIR, 'src', 'cli', 'main.ts'), ...process.argv.slice(2)]);
