import type { Pool } from 'pg';
import { TestBooks, type TestLot } from './books.ts';

const MINUTE_MS = 60_000;

/** A generator of integers from 0 to below `limit`; the same seed gives the same numbers. */
function numbers(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Writes the books of a few members between two instants, with every operation in random order. */
export async function randomHistory(
  pool: Pool,
  seed: number,
  { steps, from, to }: { steps: number; from: string; to: string },
): Promise<TestBooks> {
  const next = numbers(seed);
  const books = await TestBooks.open(pool);
  const members = Array.from({ length: 7 }, () => books.member());
  const lots: TestLot[] = [];
  const [start, end] = [Date.parse(from), Date.parse(to)];
  for (let step = 0; step < steps; step += 1) {
    const ms = start + Math.floor(((end - start) / steps) * step) + next(30) * MINUTE_MS;
    const at = new Date(ms).toISOString();
    const lot = lots[next(lots.length)];
    if (!lot || next(3) === 0) {
      const member = members[next(members.length)] ?? '';
      const points = 1 + next(500);
      const expiresAt = next(2) === 0 ? null : new Date(ms + next(400) * 1440 * MINUTE_MS).toISOString();
      const lot = books.lot(member, at, points, expiresAt);
      const account = next(2) === 0 ? 'member.available' : 'member.pending';
      const [event, source] = (
        [
          ['purchase.completed', 'program.issuance'],
          ['adjustment.posted', 'program.adjustment'],
          ['exchange.settled', 'program.clearing'],
        ] as const
      )[next(3)] ?? ['purchase.completed', 'program.issuance'];
      books.post(event, at, [lot, source, account, points]);
      lots.push(lot);
      continue;
    }
    const part = (account: 'member.available' | 'member.pending' | 'member.reserved'): number =>
      Math.min(lot[account], 1 + next(200));
    const [available, pending, reserved] = [
      part('member.available'),
      part('member.pending'),
      part('member.reserved'),
    ];
    const operation = next(8);
    if (operation === 0 && pending > 0) {
      books.post('points.activated', at, [lot, 'member.pending', 'member.available', pending]);
    } else if (operation === 1 && pending > 0 && available > 0) {
      books.post(
        'order.returned',
        at,
        [lot, 'member.pending', 'program.issuance', pending],
        [lot, 'member.available', 'program.issuance', available],
      );
    } else if (operation === 2 && available > 0) {
      books.post('redemption.reserved', at, [lot, 'member.available', 'member.reserved', available]);
    } else if (operation === 3 && reserved > 0) {
      books.post('redemption.committed', at, [lot, 'member.reserved', 'program.redemption', reserved]);
      if (next(2) === 0) {
        const back = 1 + next(reserved);
        books.post('redemption.reversed', at, [lot, 'program.redemption', 'member.available', back]);
      }
    } else if (operation === 4 && reserved > 0) {
      books.post('redemption.released', at, [lot, 'member.reserved', 'member.available', reserved]);
    } else if (operation === 5 && available > 0) {
      books.post('points.expired', at, [lot, 'member.available', 'program.expiry', available]);
    } else if (operation === 6 && available > 0) {
      const event = next(2) === 0 ? 'adjustment.posted' : 'adjustment.reversed';
      books.post(event, at, [lot, 'member.available', 'program.adjustment', available]);
    } else if (operation === 7 && available > 0) {
      books.post('exchange.reversed', at, [lot, 'member.available', 'program.clearing', available]);
    }
  }
  await books.write();
  return books;
}
