/** A block of a page that is not treated as the others. */
export interface Exception {
  page: string;
  /** A part of the block that no other block of the page has. */
  text: string;
  reason: string;
}

const CLIENTS = 'docs/guide/clients.md';
const byClients = 'it needs the registry; test/docs/clients.long.test.ts runs it in an empty folder';
const PRODUCTION = 'docs/operate/production.md';
const byDrills = 'it needs a server of Postgres that archives; test/drills run it';
const RUNNING = 'docs/operate/running.md';
const ownPostgres = 'it needs a database of your own';
const history = 'it needs a file from the internet; test/history/cdnow runs it where the file is';
const intoHome = "it writes into the reader's home; test/cli/shell runs the scripts";

/**
 * The blocks that are not run, each with the reason. Transcripts, in which commands stand behind `$`, are no blocks of
 * commands: they show what a run has printed.
 */
export const NOT_RUN: readonly Exception[] = [
  { page: 'docs/lab/benchmarks.md', text: 'npm run bench\n', reason: 'it takes most of an hour' },
  { page: 'docs/operate/distributed.md', text: 'npm run bench:citus', reason: 'it needs a build of Citus' },
  {
    page: 'README.md',
    text: 'npm start    #',
    reason: 'the test has started the demo so; npm test is this suite',
  },
  { page: CLIENTS, text: 'npm init -y', reason: byClients },
  { page: CLIENTS, text: 'npx graphql-codegen', reason: byClients },
  { page: CLIENTS, text: 'AMOUNT=-5', reason: byClients },
  { page: 'docs/lab/benchmarks.md', text: '--keep /data/history', reason: 'it fills a database for hours' },
  {
    page: 'docs/internals/simulator.md',
    text: 'npm run simulate --',
    reason: 'it takes minutes; test/simulator runs it',
  },
  { page: PRODUCTION, text: 'create role backup', reason: byDrills },
  { page: PRODUCTION, text: 'npx rewards verify audit', reason: byDrills },
  { page: RUNNING, text: 'npx rewards serve      #', reason: ownPostgres },
  { page: RUNNING, text: 'rewards serve --demo', reason: ownPostgres },
  { page: RUNNING, text: 'pg_dump', reason: 'it needs the pg_dump of version 18' },
  { page: 'docs/operate/cli.md', text: 'completion fish', reason: intoHome },
  { page: 'docs/operate/imports.md', text: 'awk -v OFS', reason: history },
  { page: 'docs/operate/imports.md', text: '# 2453159', reason: history },
  {
    page: 'docs/guide/webhooks.md',
    text: 'rewards listen',
    reason: 'it runs until Ctrl-C; test/cli/webhook runs it',
  },
];

/** Blocks with commands that end with another code than 0, or requests that are refused, as the page says. */
export const MAY_FAIL: readonly Exception[] = [
  { page: 'docs/operate/imports.md', text: '.data/members.csv -e', reason: 'a row is rejected' },
  { page: 'docs/operate/imports.md', text: '.data/balances.csv -e', reason: 'rows are rejected' },
  { page: 'docs/operate/imports.md', text: '.data/settlements.csv -e', reason: 'rows are rejected' },
  { page: 'docs/operate/imports.md', text: '.data/orders.csv -e', reason: 'rows are rejected' },
  {
    page: 'docs/operate/erasure.md',
    text: '--forfeit -e',
    reason: 'the first erasure is refused: the member has points',
  },
  { page: 'docs/operate/reports.md', text: '--as demo', reason: 'who published a section cannot approve it' },
  {
    page: 'docs/operate/cli.md',
    text: '.data/customers.txt -e',
    reason: 'a customer of the list is no member',
  },
];

/** Blocks whose output is another one than the page prints. */
export const OTHER_OUTPUT: readonly Exception[] = [
  {
    page: 'docs/operate/audit.md',
    text: 'action=purchase.completed',
    reason: 'the seal comes seconds after the event',
  },
  {
    page: 'docs/guide/offers.md',
    text: '"couponCode":"BEANS10"',
    reason: 'what applies depends on the day of the week',
  },
  { page: 'docs/guide/members.md', text: 'customer-joan/details', reason: 'the page shows a longer history' },
  { page: 'docs/guide/lots.md', text: 'rewards sweep', reason: 'the server of the demo sweeps by itself' },
  {
    page: 'docs/operate/exports.md',
    text: '--close .data/coffee.json',
    reason: 'the page shows a file that was changed',
  },
  {
    page: 'docs/guide/webhooks.md',
    text: 'retry --all-failed',
    reason: 'the page shows a receiver that was stopped',
  },
];
