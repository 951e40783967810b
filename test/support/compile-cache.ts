import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The value of NODE_COMPILE_CACHE for processes of the service: most of their start is reading and compiling the
 * sources.
 */
export const COMPILE_CACHE = join(tmpdir(), 'rewards-test-compile-cache');
