import { describe, expect, test } from '@jest/globals';
import type { Pool } from 'pg';
import { createPool } from '../../src/db/pool.ts';
import { MemberReader } from '../../src/queries/member-reader.ts';
import type { ProgramReader } from '../../src/queries/shared/current-programs.ts';
import { ReadPool } from '../../src/queries/shared/read-pool.ts';
import { Counter } from '../support/ledger/counter.ts';
import { program } from '../support/rules/fixtures.ts';

/** A reader whose statements end when the test says so; each is the list of the members that it asks for. */
function heldReader(): { reader: MemberReader; running: string[]; answer(): Promise<void> } {
  const running: string[] = [];
  const ends: (() => void)[] = [];
  const pool = {
    options: { max: 20 },
    query: ({ values }: { values: unknown[] }) =>
      new Promise((resolve) => {
        running.push(String(values[1]));
        ends.push(() => resolve({ rows: [] }));
      }),
  };
  return {
    reader: new MemberReader(new ReadPool(pool as unknown as Pool), {} as ProgramReader),
    running,
    async answer() {
      running.shift();
      ends.shift()?.();
      await turn();
    },
  };
}

const turn = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, 5);
  });

describe('the readers of an environment', () => {
  test('that ask at once share a statement, and those that come meanwhile the next one', async () => {
    const { reader, running, answer } = heldReader();
    const found = ['a', 'b'].map((customer) => reader.find('shop', customer));
    await turn();
    expect(running).toEqual(['{"a","b"}']);
    for (const customer of ['c', 'd']) found.push(reader.find('shop', customer));
    await turn();
    for (const customer of ['e', 'f']) found.push(reader.find('shop', customer));
    await turn();
    expect(running).toEqual(['{"a","b"}', '{"c","d"}']);
    await answer();
    expect(running).toEqual(['{"c","d"}', '{"e","f"}']);
    await answer();
    await answer();
    expect(await Promise.all(found)).toEqual(Array(6).fill(null));
  });

  test('never have more than two statements at once, also after one has ended', async () => {
    const { reader, running, answer } = heldReader();
    for (let round = 0; round < 5; round += 1) {
      for (let index = 0; index < 3; index += 1) {
        void reader.find('shop', `${round}.${index}`);
        await turn();
        expect(running.length).toBeLessThanOrEqual(2);
      }
      await answer();
    }
  });

  test('do not wait for those of another environment', async () => {
    const { reader, running } = heldReader();
    for (let index = 0; index < 5; index += 1) {
      void reader.find('busy', `${index}`);
      await turn();
    }
    expect(running).toHaveLength(2);
    void reader.find('quiet', 'ann');
    await turn();
    expect(running).toHaveLength(3);
  });
});

test('an older lot that never expires does not hide the expiry of a newer one', async () => {
  const counter = await Counter.open();
  const pool = createPool({ url: counter.database.serverUrl, size: 2 });
  try {
    const writer = counter.writer();
    const shop = await counter.environment(program({ expiration: { policy: 'never' } }));
    await shop.addMembers(writer, ['ann']);
    await writer.submit(shop.earn('ann'));
    await shop.publish(program({ expiration: { policy: 'rolling_days', days: 30 } }));
    const expiring = counter.writer();
    await expiring.submit(shop.earn('ann', { amountMinor: 5_000 }));
    const lots = 'select json_agg(array[available::text, (expires_at is null)::text] order by id) from lots';
    expect(await counter.value(lots)).toEqual([
      ['100', 'true'],
      ['50', 'false'],
    ]);
    const view = await new MemberReader(new ReadPool(pool), {} as ProgramReader).find(shop.id, 'ann');
    expect(view?.profiles.map(({ nextExpiry }) => nextExpiry?.points)).toEqual([50]);
  } finally {
    await pool.end();
    await counter.close();
  }
});
