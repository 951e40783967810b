import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import vm from 'node:vm';
import { build } from 'esbuild';

const PROJECT_DIR = join(import.meta.dirname, '../..');

/**
 * The packages that test files get out of one bundle, by the names under which modules of the project import them. A
 * package that is not here is loaded by Jest itself: it has to have a CommonJS form, and each test file that imports it
 * reads all of its modules.
 */
const NAMES = [
  '@envelop/core',
  '@envelop/depth-limit',
  '@graphql-tools/schema',
  '@graphql-tools/utils',
  '@modelcontextprotocol/sdk/client/index.js',
  '@modelcontextprotocol/sdk/client/stdio.js',
  '@modelcontextprotocol/sdk/client/streamableHttp.js',
  '@modelcontextprotocol/sdk/server/index.js',
  '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js',
  '@modelcontextprotocol/sdk/types.js',
  '@modelcontextprotocol/sdk/validation/ajv',
  '@prisma/adapter-pg',
  '@prisma/client/runtime/client',
  '@prisma/client/runtime/query_compiler_fast_bg.postgresql.mjs',
  '@prisma/client/runtime/query_compiler_fast_bg.postgresql.wasm-base64.mjs',
  'ajv',
  'ajv-formats',
  'ajv/dist/2020.js',
  'canonicalize',
  'cli-progress',
  'cli-table3',
  'commander',
  'csv-parse',
  'express',
  'fast-check',
  'graphile-worker',
  'graphql',
  'graphql-http',
  'graphql-yoga',
  'helmet',
  'hyparquet',
  'hyparquet-writer',
  'ioredis',
  'jose',
  'jstat',
  'lru-cache',
  'pg',
  'pino',
  'prom-client',
  'rate-limiter-flexible',
  'standardwebhooks',
  'svix',
  'typeid-js',
  'undici',
  'uuid',
  'yaml',
];

/** What the bundle follows from. */
const SOURCES = [import.meta.filename, join(PROJECT_DIR, 'package-lock.json')];
const FOLDER = join(
  tmpdir(),
  `rewards-test-packages-${createHash('sha256').update(SOURCES.map(readText).join('\0')).digest('hex').slice(0, 16)}`,
);
const BUNDLE = join(FOLDER, 'bundle.cjs');

/** The name of the function by which a test file asks for a package, among its globals. */
const LOADER = 'bundledPackage';

/** For Jest's `moduleNameMapper`: in the place of a package, a module that asks for it. */
export const PACKAGE_MAPPER = {
  [`^(${NAMES.map((name) => name.replaceAll('.', '\\.')).join('|')})$`]: join(FOLDER, 'packages/$1.cjs'),
};

/** Makes the bundle, unless an earlier run has made it of the same packages. */
export async function bundlePackages() {
  if (existsSync(BUNDLE)) return;
  const made = `${FOLDER}.${process.pid}`;
  for (const name of NAMES) {
    const file = join(made, 'packages', `${name}.cjs`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `module.exports = ${LOADER}(${JSON.stringify(name)});\n`);
  }
  const loaders = NAMES.map(
    (name) => `${JSON.stringify(name)}: () => require(${JSON.stringify(`esm:${name}`)})`,
  );
  await build({
    stdin: { contents: `module.exports = { ${loaders.join(', ')} };`, resolveDir: PROJECT_DIR },
    outfile: join(made, 'bundle.cjs'),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: `node${process.versions.node}`,
    mainFields: ['main'],
    logLevel: 'error',
    plugins: [{ name: 'imported as by an ES module', setup: importAsEsm }],
  });
  try {
    renameSync(made, FOLDER);
  } catch (error) {
    // Another run has made it at the same time.
    if (!existsSync(BUNDLE)) throw error;
    rmSync(made, { recursive: true });
  }
}

/** The form of a package that Node would take for an `import`, which differs from that for `require` in some. */
function importAsEsm({ onResolve, onLoad }) {
  onResolve({ filter: /^esm:/ }, ({ path }) => ({
    path: `${path.slice('esm:'.length)}.mjs`,
    namespace: 'esm',
  }));
  onLoad({ filter: /\.mjs$/, namespace: 'esm' }, ({ path }) => {
    const name = JSON.stringify(path.slice(0, -'.mjs'.length));
    const contents = `import * as all from ${name}; export * from ${name}; export default all['default'];`;
    return { contents, resolveDir: PROJECT_DIR };
  });
}

/** What V8 has compiled of the bundle: the contexts of all test files of a process share it. */
let script;

/**
 * Gives a test file the bundle: each package is run in the file's own context when the file first asks for it, so that
 * no file sees what another has changed.
 * @param injected the names of the globals that the code gets as parameters, as Jest's `sandboxInjectedGlobals`
 */
export function addPackages(global, context, injected) {
  let packages;
  global[LOADER] = (name) => {
    packages ??= run(global, context, injected);
    return packages[name]();
  };
}

function run(global, context, injected) {
  const parameters = ['module', 'require', '__filename', '__dirname', ...injected];
  script ??= new vm.Script(`(function (${parameters.join(', ')}) {${readText(BUNDLE)}\n})`, {
    filename: BUNDLE,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const module = { exports: {} };
  const globals = injected.map((name) => vm.runInContext(name, context));
  const file = join(PROJECT_DIR, 'package.json');
  const require = createRequire(file);
  // A test file has a `process` of its own, whose environment variables it may set.
  const requireHere = (name) => (/^(node:)?process$/.test(name) ? global.process : require(name));
  script.runInContext(context)(module, requireHere, file, PROJECT_DIR, ...globals);
  return module.exports;
}

function readText(path) {
  return readFileSync(path, 'utf8');
}
