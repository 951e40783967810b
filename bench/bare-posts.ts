import { Agent, request } from 'undici';
import type { ReceivedPost } from './sink.ts';

// The least that a delivery can cost: undici posts a body that is there already, and reads the answer. No database, no
// signature, no record of what came back.

/** Post the samples again and again, so many in all. */
export interface PostsMessage {
  origin: string;
  samples: readonly ReceivedPost[];
  requests: number;
  inFlight: number;
}

/** As the server's own (src/webhooks/guarded-agent.ts). */
const agent = new Agent({ connections: 64, pipelining: 1, keepAliveTimeout: 30_000 });

process.on('message', (message: PostsMessage) => void post(message));
process.on('disconnect', () => process.exit(0));

async function post({ origin, samples, requests, inFlight }: PostsMessage): Promise<void> {
  // What a client sets by itself.
  const prepared = samples.map(({ path, body, headers }) => {
    const { host, connection, 'content-length': _length, ...own } = headers;
    return { url: origin + path, body, headers: own };
  });
  let sent = 0;
  const send = async (): Promise<void> => {
    while (sent < requests) {
      const one = prepared[sent % prepared.length];
      sent += 1;
      if (!one) return;
      const { url, body, headers } = one;
      const response = await request(url, { method: 'POST', headers, body, dispatcher: agent });
      await response.body.text();
    }
  };
  await Promise.all(Array.from({ length: inFlight }, send));
  process.send?.({ kind: 'done' });
}
