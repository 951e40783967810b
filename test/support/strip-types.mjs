import { createHash } from 'node:crypto';
import { stripTypeScriptTypes } from 'node:module';

/** Jest transform: strips types as Node does, with positions kept, so that stack traces are right. */
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
