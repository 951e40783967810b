import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { coverageFolder, isCounted, withCounters } from './coverage/counters.ts';

/** What the code with counters follows from, beside its source. */
const COUNTERS = readFileSync(new URL('coverage/counters.ts', import.meta.url));

/**
 * Jest transform: strips types as Node does, with positions kept, so that stack traces and figures of coverage are
 * right. Where coverage is counted, the modules of the service get counters.
 */
export default {
  process(source, path) {
    const code = stripTypeScriptTypes(source, { mode: 'strip' });
    return { code: coverageFolder() && isCounted(path) ? withCounters(code, path).code : code };
  },
  getCacheKey(source, path) {
    return createHash('sha256')
      .update(process.version)
      .update('\0')
      .update(coverageFolder() ? COUNTERS : 'plain')
      .update('\0')
      .update(path)
      .update('\0')
      .update(source)
      .digest('hex');
  },
};
