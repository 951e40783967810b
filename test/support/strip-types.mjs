import { createHash } from 'node:crypto';
import { stripTypeScriptTypes } from 'node:module';

/** Jest transform: what Node does to a .ts file when it runs it, positions kept, so that stack traces are right. */
export default {
  process(source, path) {
    return { code: stripTypeScriptTypes(source, { mode: 'strip', sourceUrl: path }) };
  },
  getCacheKey(source, path) {
    return createHash('sha256')
      .update(process.version)
      .update('\0')
      .update(path)
      .update('\0')
      .update(source)
      .digest('hex');
  },
};
