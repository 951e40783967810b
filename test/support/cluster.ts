import type { ProgramDocument } from '../../src/programs/document/program-document.ts';

/** What the global setup passes to the test files in the environment variables of the worker processes. */
export interface TestCluster {
  /** URL of a database, with a superuser's login. Of a Citus cluster: on its coordinator. */
  adminUrl: string;
  /** The same of each worker of a Citus cluster (TEST_CITUS_WORKERS). None: the tables are not distributed. */
  workerUrls: readonly string[];
  /** Login and password of the server's role. */
  serverLogin: string;
  serverPassword: string;
  /** The login of management's role. It has the same password. */
  operatorLogin: string;
  /** The migrated database that every test database is a copy of. */
  template: string;
  /** The beginning of the name of every database of this run. */
  prefix: string;
  /** The program of the demo, which most test files publish: parsing it takes as long as ten requests. */
  program: ProgramDocument;
}

const VARIABLE = 'REWARDS_TEST_CLUSTER';

export function publishTestCluster(cluster: TestCluster): void {
  process.env[VARIABLE] = JSON.stringify(cluster);
}

/** @throws outside a jest run. */
export function testCluster(): TestCluster {
  const text = process.env[VARIABLE];
  if (!text)
    throw new Error('There is no test cluster: run the tests with jest, whose global setup makes it.');
  return JSON.parse(text) as TestCluster;
}

/** The URL with the same server and login, and another database. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

/** The URL with the same server and database, and another login. */
export function withLogin(url: string, login: string, password: string): string {
  const changed = new URL(url);
  changed.username = login;
  changed.password = password;
  changed.searchParams.delete('user');
  changed.searchParams.delete('password');
  return changed.href;
}
