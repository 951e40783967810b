import { request } from 'undici';
import type { FetchKeySet } from '../auth/customer/key-sets.ts';
import type { Config } from '../config.ts';
import { createAgent } from '../webhooks/guarded-agent.ts';

/** Reads the key sets of issuers. */
export interface KeySetFetcher {
  fetch: FetchKeySet;
  close(): Promise<void>;
}

const TIMEOUT_MS = 5_000;
const LONGEST_BYTES = 524_288;

/** Reads key sets through the guard that webhooks are sent through: public addresses, without redirects. */
export function createKeySetFetcher({
  webhookAllowPrivate,
  webhookProxy: proxyUrl,
}: Pick<Config, 'webhookAllowPrivate' | 'webhookProxy'>): KeySetFetcher {
  const agentOf = (allowPrivate: boolean) => createAgent({ connectionsPerOrigin: 2, allowPrivate, proxyUrl });
  const guarded = agentOf(false);
  const forSandbox = webhookAllowPrivate ? agentOf(true) : guarded;
  return {
    async fetch(url, sandbox) {
      const { statusCode, body } = await request(url, {
        dispatcher: sandbox ? forSandbox : guarded,
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
    async close() {
      await Promise.all([...new Set([guarded, forSandbox])].map((agent) => agent.destroy()));
    },
  };
}
