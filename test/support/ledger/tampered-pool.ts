import type { Pool, PoolClient } from 'pg';

/** Called instead of a connection's `query`: it runs the statement by `send`, or does something else. */
export type Tamper = (text: string, send: () => Promise<unknown>, client: PoolClient) => Promise<unknown>;

/** The pool, with every statement on it and on its connections handed to `tamper`. */
export function tamperedPool(pool: Pool, tamper: Tamper): Pool {
  const wrap = (client: PoolClient): PoolClient =>
    new Proxy(client, {
      get(target, name) {
        if (name !== 'query') return bound(target, name);
        return (statement: string | { text: string }, ...rest: unknown[]) => {
          const query = target.query.bind(target) as (...args: unknown[]) => Promise<unknown>;
          const text = typeof statement === 'string' ? statement : statement.text;
          return tamper(text, () => query(statement, ...rest), target);
        };
      },
    });
  const connect = async (): Promise<PoolClient> => wrap(await pool.connect());
  const query = async (...statement: Parameters<PoolClient['query']>): Promise<unknown> => {
    const client = await connect();
    try {
      return await client.query(...statement);
    } finally {
      client.release();
    }
  };
  return new Proxy(pool, {
    get(target, name) {
      if (name === 'connect') return connect;
      return name === 'query' ? query : bound(target, name);
    },
  });
}

/** A property of an object; a method is bound to the object itself, not to the proxy around it. */
export function bound(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name);
  return typeof value === 'function' ? value.bind(target) : value;
}
