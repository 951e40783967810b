import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { Pool } from '../../../src/db/pool.ts';
import { toTypeId } from '../../../src/ids.ts';
import { Client, type Credentials, earn } from '../surfaces/client.ts';

/** What a proxy or a server answers that could not tell what became of a request. */
const IN_DOUBT = new Set([408, 500, 502, 503, 504]);

/** Senders that send purchases one after the other, each again under its own key until it is answered. */
export interface RetryingLoad {
  /** The receipts' ids by key. */
  readonly acknowledged: ReadonlyMap<string, string>;
  /** How often an answer left it open what became of a purchase, by status; 0 where there was no answer. */
  readonly doubts: ReadonlyMap<number, number>;
  /** How many purchases that were in doubt had been recorded: their retry got the first receipt. */
  readonly settled: number;
  /** Milliseconds of `performance.now()` at which a purchase was recorded last. */
  readonly lastSuccessAt: number;
  /** Lets every sender finish: what is in doubt is sent until it is answered. */
  stop(): Promise<void>;
}

/** @param name the beginning of each key, of this load alone */
export function startRetryingLoad(
  url: string,
  credentials: Credentials,
  { name, senders, members }: { name: string; senders: number; members: readonly string[] },
): RetryingLoad {
  const client = new Client(url, senders);
  const acknowledged = new Map<string, string>();
  const doubts = new Map<number, number>();
  let settled = 0;
  let lastSuccessAt = 0;
  let stopped = false;
  const settle = async (key: string, sender: number): Promise<void> => {
    const purchase = {
      externalCustomerId: members[sender % members.length],
      sourceReference: `order-${key}`,
      amountMinor: 1000,
    };
    for (;;) {
      const answer = await client.send(earn(credentials, purchase, key)).catch(() => null);
      const status = answer?.status ?? 0;
      if (answer && !IN_DOUBT.has(status)) {
        // Anything but the purchase, now or before, would be a wrong answer.
        expect([key, status === 201 || answer.replayed, answer.text]).toEqual([key, true, answer.text]);
        if (answer.replayed) settled += 1;
        else lastSuccessAt = performance.now();
        acknowledged.set(key, answer.body.id ?? '');
        return;
      }
      doubts.set(status, (doubts.get(status) ?? 0) + 1);
      await sleep(20 + Math.random() * 60);
    }
  };
  const send = async (sender: number): Promise<void> => {
    for (let index = 0; !stopped; index += 1) await settle(`${name}-${sender}-${index}`, sender);
  };
  const ended = Promise.all(Array.from({ length: senders }, (_, sender) => send(sender)));
  // The failure of a sender is seen when the load is stopped.
  ended.catch(() => undefined);
  return {
    acknowledged,
    doubts,
    get settled() {
      return settled;
    },
    get lastSuccessAt() {
      return lastSuccessAt;
    },
    async stop() {
      stopped = true;
      await ended.finally(() => client.close());
    },
  };
}

/** Every purchase of a load is there once, under the id that was acknowledged, and no other is. */
export async function expectEachOnce(
  pool: Pool,
  name: string,
  acknowledged: ReadonlyMap<string, string>,
): Promise<void> {
  const { rows } = await pool.query<{ id: string; key: string }>(
    `select id, substr(source_reference, 7) as key from transactions
      where starts_with(source_reference, 'order-' || $1)`,
    [name],
  );
  expect(rows.length).toBe(acknowledged.size);
  expect(new Map(rows.map(({ key, id }) => [key, toTypeId('txn', id)]))).toEqual(acknowledged);
}
