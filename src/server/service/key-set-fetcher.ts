import type { FetchKeySet } from '../../auth/customer/key-sets.ts';
import type { Config } from '../../config.ts';
import { OutgoingAgents } from '../../webhooks/outgoing-agents.ts';

/** Reads the key sets of issuers. */
export interface KeySetFetcher {
  fetch: FetchKeySet;
  close(): Promise<void>;
}

const TIMEOUT_MS = 5_000;
const LONGEST_BYTES = 524_288;
/** What HTTP puts around the body: headers of 16 KiB, and the sizes of chunks. */
const LONGEST_ANSWER_BYTES = 2 * LONGEST_BYTES;

/**
 * Reads key sets through the guard that webhooks are sent through: public addresses, without redirects. One key set may
 * be that of many environments, so each host has its own connections and look-ups in place of an environment: hosts
 * whose name servers are silent keep no other one from being read.
 */
export function createKeySetFetcher(
  config: Pick<Config, 'webhookAllowPrivate' | 'webhookProxy'>,
): KeySetFetcher {
  const agents = new OutgoingAgents({
    ...config,
    connectionsPerOrigin: 2,
    answerLimitBytes: LONGEST_ANSWER_BYTES,
  });
  return {
    async fetch(url, sandbox) {
      const [{ request }, dispatcher] = await Promise.all([
        import('undici'),
        agents.of(new URL(url).host, sandbox),
      ]);
      const { statusCode, body } = await request(url, {
        dispatcher,
        headers: { accept: 'application/jwk-set+json, application/json' },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (statusCode !== 200) {
        await body.dump();
        throw new Error(`it was answered with status ${statusCode}`);
      }
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of body as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > LONGEST_BYTES) throw new Error(`it is longer than ${LONGEST_BYTES} bytes`);
        chunks.push(chunk);
      }
      return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
    },
    close: () => agents.destroy(),
  };
}
