import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { transformSync } from 'esbuild';

const OWN_SOURCE = readFileSync(import.meta.filename);

/**
 * Jest transform: TypeScript to JavaScript, and ES modules to CommonJS, which Jest loads without experimental flags of
 * Node, and in less time.
 */
export default {
  canInstrument: true,
  process(source, path, { instrument }) {
    return transformSync(withoutOwnDirname(instrument ? withCounters(source, path) : source), {
      loader: path.endsWith('.ts') ? 'ts' : 'js',
      sourcefile: path,
      format: 'cjs',
      platform: 'node',
      target: `node${process.versions.node}`,
      sourcemap: 'external',
      sourcesContent: false,
      // It becomes a `require` too.
      supported: { 'dynamic-import': false },
      define: {
        'import.meta.dirname': '__dirname',
        'import.meta.filename': '__filename',
        'import.meta.url': 'importMetaUrl',
      },
      banner: [
        // As ES modules are.
        '"use strict";',
        ...(source.includes('import.meta.url')
          ? ['const importMetaUrl = require("node:url").pathToFileURL(__filename).href;']
          : []),
      ].join(''),
      tsconfigRaw: { compilerOptions: { target: 'esnext', verbatimModuleSyntax: true } },
    });
  },
  getCacheKey(source, path, { instrument }) {
    return createHash('sha256')
      .update([process.version, instrument, path, source].join('\0'))
      .update(OWN_SOURCE)
      .digest('hex');
  },
};

/** CommonJS has a `__dirname` of its own in every module. An ES module has none, and may declare one. */
function withoutOwnDirname(source) {
  return /\b(?:const|let|var) __dirname\b/.test(source)
    ? source.replace(/\b__dirname\b/g, 'ownDirname')
    : source;
}

/** With Istanbul's counters of statements, functions and branches, for Jest's `collectCoverage`. */
function withCounters(source, path) {
  // Loaded here, for it takes as long as many a test file, and is seldom needed.
  const { createInstrumenter } = createRequire(import.meta.url)('istanbul-lib-instrument');
  return createInstrumenter({ esModules: true }).instrumentSync(stripTypeScriptTypes(source), path);
}
