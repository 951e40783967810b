/** What the global setup tells the test files, through the environment of the worker processes. */
export interface TestCluster {
  /** A superuser's (or at least CREATEDB and CREATEROLE) URL of a database to connect to. */
  adminUrl: string;
  /** Login and password of the server's role. */
  serverLogin: string;
  serverPassword: string;
  /** The migrated database that every test database is a copy of. */
  template: string;
  /** Begins the name of every database of this run. */
  prefix: string;
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

/** The same server and login, another database. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

/** The same server and database, another login. */
export function withLogin(url: string, login: string, password: string): string {
  const changed = new URL(url);
  changed.username = login;
  changed.password = password;
  changed.searchParams.delete('user');
  changed.searchParams.delete('password');
  return changed.href;
}
