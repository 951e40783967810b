import type { Pool, PoolClient } from 'pg';

/** Called instead of a connection's `query`: it runs the statement by `send`, or does something else. */
export type Tamper = (text: string, send: () => Promise<unknown>) => Promise<unknown>;

/** The pool, with every statement on its connections handed to `tamper`. */
export function tamperedPool(pool: Pool, tamper: Tamper): Pool {
  const wrap = (client: PoolClient): PoolClient =>
    new Proxy(client, {
      get(target, name) {
        if (name !== 'query') return bound(target, name);
        return (statement: string | { text: string }, ...rest: unknown[]) => {
          const query = target.query.bind(target) as (...args: unknown[]) => Promise<unknown>;
          const text = typeof statement === 'string' ? statement : statement.text;
          return tamper(text, () => query(statement, ...rest));
        };
      },
    });
  return new Proxy(pool, {
    get(target, name) {
      return name === 'connect' ? async () => wrap(await target.connect()) : bound(target, name);
    },
  });
}

/** A property of an object; a method is bound to the object itself, not to the proxy around it. */
export function bound(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name);
  return typeof value === 'function' ? value.bind(target) : value;
}
