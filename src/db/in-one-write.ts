import type { Writable } from 'node:stream';
import type { ClientBase } from 'pg';

/**
 * Sends all statements that `send` queries on a pipelined client in one write to the network. Without it each statement
 * is a system call, which was half of the cost of a batch in this process.
 */
export function inOneWrite<T>(client: ClientBase, send: () => T): T {
  const stream = streamOf(client);
  stream?.cork();
  try {
    return send();
  } finally {
    stream?.uncork();
  }
}

/** The socket of a client, which the types of pg do not declare. Without one the statements are sent one by one. */
function streamOf(client: ClientBase): Writable | undefined {
  return (client as ClientBase & { connection?: { stream?: Writable } }).connection?.stream;
}
