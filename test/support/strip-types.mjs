import { createHash } from 'node:crypto';
import { stripTypeScriptTypes } from 'node:module';
import { pathToFileURL } from 'node:url';

/** Jest transform: strips types as Node does, with positions kept, so that stack traces and figures of coverage are right. */
export default {
  process(source, path) {
    // Jest counts the coverage of modules that have a URL.
    return { code: stripTypeScriptTypes(source, { mode: 'strip', sourceUrl: pathToFileURL(path).href }) };
  },
  getCacheKey(source, path) {
    return createHash('sha256')
      .update(`url ${process.version}`)
      .update('\0')
      .update(path)
      .update('\0')
      .update(source)
      .digest('hex');
  },
};
