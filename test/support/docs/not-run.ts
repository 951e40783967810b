/** A block of a page that the test does not run as it stands. */
export interface Exception {
  page: string;
  /** A part of the block that no other block of the page has. */
  text: string;
  reason: string;
}

const CLIENTS = 'docs/clients.md';
const byClients = 'it needs the registry; test/docs/clients.long.test.ts runs it in an empty folder';

/** The blocks that are not run, each with the reason. */
export const NOT_RUN: readonly Exception[] = [
  { page: CLIENTS, text: 'npm init -y', reason: byClients },
  { page: CLIENTS, text: 'npx graphql-codegen', reason: byClients },
  { page: CLIENTS, text: 'AMOUNT=-5', reason: byClients },
  { page: 'docs/benchmarks.md', text: '--keep /data/history', reason: 'it fills a database for hours' },
  {
    page: 'docs/simulator.md',
    text: 'npm run simulate --',
    reason: 'it takes minutes; test/simulator runs it',
  },
  {
    page: 'README.md',
    text: 'npm start    #',
    reason: 'the test has started the demo so; npm test is this suite',
  },
];

/** Commands that end with another code than 0, and refusals that are no mistake, by a part of the command or its code. */
export const EXPECTED_FAILURES: readonly Exception[] = [];
