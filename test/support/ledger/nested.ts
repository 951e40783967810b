import type pg from 'pg';

/**
 * A connection whose transaction is the test's own: it sends no statement that begins or ends one, so that a control of
 * the ledger sees what the test has changed, and the test's rollback undoes it.
 */
export function nested(outer: pg.PoolClient): pg.PoolClient {
  const ownStatement = /^(begin|commit|rollback|set local)/;
  return new Proxy(outer, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name);
      return (text: string, values?: unknown[]) =>
        ownStatement.test(text) ? Promise.resolve({ rows: [] }) : target.query(text, values);
    },
  });
}
