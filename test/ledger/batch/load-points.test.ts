import { expect, test } from '@jest/globals';
import { toTypeId } from '../../../src/ids.ts';
import { Book } from '../../../src/ledger/books/book.ts';
import { settle } from '../../../src/ledger/books/settle.ts';
import { spend } from '../../../src/ledger/books/spend.ts';
import type { Command } from '../../../src/ledger/command.ts';
import type { LoadedPoints } from '../../../src/ledger/state.ts';
import type { SettlementRecord } from '../../../src/ledger/tables/exchange-settlements.ts';
import { codeOf } from '../../support/commands/desk.ts';
import { fixture } from '../../support/fixture.ts';
import { useCounter, useWriter } from '../../support/ledger/use-counter.ts';
import { program } from '../../support/rules/fixtures.ts';

const counter = useCounter();
const writer = useWriter(counter);
const shop = fixture('the shop', () =>
  counter.environment(program({ expiration: { policy: 'rolling_days', days: 30 } })),
);

/**
 * A command that settles the profile and then spends points, as a redemption does.
 * @param saw called with what was loaded
 */
function take(
  externalCustomerId: string,
  points: number,
  saw: (loaded: LoadedPoints) => void = () => {},
): Command {
  const programId = 'coffee-club';
  return {
    environmentId: shop.id,
    operation: 'take',
    idempotencyKey: null,
    fingerprint: Buffer.alloc(32),
    actor: { type: 'system', id: 'test' },
    requestId: 'req_test',
    laneKey: externalCustomerId,
    subjects: [
      { kind: 'member', externalCustomerId },
      { kind: 'profile', programId, externalCustomerId },
      { kind: 'points', programId, externalCustomerId, points },
    ],
    decide(state, now) {
      const profile = state.profile(programId, externalCustomerId);
      if (!profile) throw new Error('no profile');
      const loaded = state.loadedPoints(programId, externalCustomerId);
      saw(loaded);
      const book = new Book(profile, state, now);
      settle(book, loaded, state);
      const settlements: SettlementRecord[] = [];
      if (points > 0) {
        const reference = state.newId();
        const entry = book.open({ eventType: 'exchange.settled', sourceReference: reference });
        const spent = Math.min(points, book.profile.available);
        spend(book, entry, loaded, spent, 'program.clearing');
        const { id } = book.close(entry);
        book.noteSystem('exchange.settled', 'transaction', toTypeId('txn', id), { programId, points: spent });
        settlements.push({
          settlementReference: reference,
          programId,
          memberId: profile.memberId,
          partnerId: 'airline',
          direction: 'out',
          points: spent,
          transactionId: entry.id,
          reverses: null,
          reversedBy: null,
          createdAt: now,
        });
      }
      const { inserts, updates } = book.changes();
      const written = { inserts: { ...inserts, exchangeSettlements: settlements }, updates };
      return { receipt: {}, ...written, audits: book.audits, webhookEvents: [] };
    },
  };
}

async function earn(customer: string, purchases: number, amountMinor = 1_000): Promise<void> {
  await shop.addMembers(writer, [customer]);
  await Promise.all(
    Array.from({ length: purchases }, () => writer.submit(shop.earn(customer, { amountMinor }))),
  );
}

async function lotsOf(customer: string): Promise<number[]> {
  const { rows } = await counter.database.adminPool.query<{ available: number }>(
    `select l.available from lots l join members m on m.environment_id = l.environment_id and m.id = l.member_id
      where l.environment_id = $1 and m.external_customer_id = $2 order by l.expires_at, l.id`,
    [shop.id, customer],
  );
  return rows.map((row) => Number(row.available));
}

test('a member with many lots loads as many as are spent, and one more', async () => {
  await earn('many', 60);
  let seen = 0;
  let limited = false;
  await writer.submit(
    take('many', 25, ({ lots, limit }) => {
      seen = lots.length;
      limited = limit !== null;
    }),
  );
  expect({ seen, limited }).toEqual({ seen: 3, limited: true });
  expect((await lotsOf('many')).slice(0, 4)).toEqual([0, 0, 5, 10]);
});

test('commands of one batch that spend of one profile get what they need together', async () => {
  await earn('together', 40);
  await Promise.all(Array.from({ length: 20 }, () => writer.submit(take('together', 15))));
  const lots = await lotsOf('together');
  expect(lots.reduce((sum, each) => sum + each, 0)).toBe(100);
  expect(lots.slice(0, 30).every((each) => each === 0)).toBe(true);
});

test('a command whose batch-mates have spent what was loaded for it is tried again alone', async () => {
  await earn('short', 10);
  // Each takes two lots and names fewer points, as a return does. Alone it finds both of its lots. Together they name
  // 22 points, for which three lots are loaded: the first one takes two of them, and the second one finds one.
  const loaded: number[][] = [[], []];
  const outcomes = await Promise.all(
    loaded.map((tries) => {
      const command = take('short', 20, ({ lots }) => tries.push(lots.length));
      const subjects = command.subjects.map((subject) =>
        subject.kind === 'points' ? { ...subject, points: 11 } : subject,
      );
      return writer.submit({ ...command, subjects });
    }),
  );
  expect(outcomes.map(codeOf)).toEqual(['done', 'done']);
  expect(loaded).toEqual([
    [3, 2],
    [3, 2],
  ]);
  expect(await lotsOf('short')).toEqual([0, 0, 0, 0, 10, 10, 10, 10, 10, 10]);
});

test('lots whose time is over expire on the way, and are not spent', async () => {
  await earn('late', 3);
  await counter.database.adminPool.query(
    `update lots set expires_at = clock_timestamp() - interval '1 hour'
      where environment_id = $1 and id in (select l.id from lots l join members m
        on m.environment_id = l.environment_id and m.id = l.member_id
        where l.environment_id = $1 and m.external_customer_id = 'late' order by l.id limit 2)`,
    [shop.id],
  );
  await writer.submit(take('late', 25));
  expect(await lotsOf('late')).toEqual([0, 0, 0]);
  const kinds = await counter.database.adminPool.query(
    `select t.event_type, t.points::integer from transactions t
      join members m on m.environment_id = t.environment_id and m.id = t.member_id
      where t.environment_id = $1 and m.external_customer_id = 'late' and t.event_type <> 'purchase.completed'
      order by t.event_type`,
    [shop.id],
  );
  expect(kinds.rows).toEqual([
    { event_type: 'exchange.settled', points: 10 },
    { event_type: 'points.expired', points: 20 },
  ]);
});

test('the books are right after all that', async () => {
  expect(await counter.failedControls()).toEqual([]);
});
