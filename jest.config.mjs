// Tests are TypeScript ES modules: types are stripped by Node itself, nothing is bundled or rewritten.
export default {
  testEnvironment: '<rootDir>/test/support/plain-environment.mjs',
  runtime: '<rootDir>/test/support/shared-packages.mjs',
  testSequencer: '<rootDir>/test/support/longest-first.mjs',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/.data/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/support/strip-types.mjs' },
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  // Also on two cores: files wait part of their time, for Postgres, for processes and for clocks.
  maxWorkers: 3,
  // Tests wait for conditions: it ends what hangs, on however slow a machine.
  testTimeout: 120_000,
  // COVERAGE: see CONTRIBUTING.md.
  reporters: ['default', ...(process.env.COVERAGE ? ['<rootDir>/test/support/coverage/reporter.mjs'] : [])],
};
