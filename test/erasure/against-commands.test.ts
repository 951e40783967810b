import { beforeAll, expect, test } from '@jest/globals';
import type { Administrator } from '../../src/admin/shared/admin-change.ts';
import { operator } from '../../src/admin/shared/admin-change.ts';
import { createPrisma } from '../../src/db/prisma.ts';
import { eraseMember } from '../../src/erasure/erase-member.ts';
import type { Writer } from '../../src/ledger/batch/writer.ts';
import { isRefusal } from '../../src/refusal.ts';
import { codeOf } from '../support/commands/desk.ts';
import { searchDatabase } from '../support/erasure/search-database.ts';
import { atEnd, fixture } from '../support/fixture.ts';
import { useCounter } from '../support/ledger/use-counter.ts';

const ROUNDS = process.env.FULL ? 500 : 60;

let writers: Writer[];
let administrator: Administrator;

const counter = useCounter();
const shop = fixture('the shop', () => counter.environment());

beforeAll(() => {
  writers = [counter.writer(), counter.writer()];
  administrator = { prisma: createPrisma(counter.database.adminPool), actor: operator('eve') };
});

atEnd(() => administrator.prisma.$disconnect());

/** Every command comes before the erasure, or finds no member: none is left of which something was stored after it. */
test('commands about a member at the moment of its erasure leave nothing behind', async () => {
  const { adminPool } = counter.database;
  const [one, other] = writers as [Writer, Writer];
  const wordOf = (round: number): string => `word${round}x`;
  let [earlier, later] = [0, 0];
  for (let round = 0; round < ROUNDS; round += 1) {
    const customer = `customer${round}x`;
    await one.submit(shop.createMember(customer));
    const erase = () =>
      eraseMember(
        { administrator, pool: adminPool, door: one },
        { environmentId: shop.id, externalCustomerId: customer, reason: 'test', forfeit: true },
      );
    const [erased, ...outcomes] = await Promise.all([
      erase(),
      one.submit(shop.update(customer, { displayName: wordOf(round) })),
      other.submit(shop.enroll(customer)),
      other.submit(shop.update(customer, { displayName: `${wordOf(round)} again` })),
      one.submit(shop.earn(customer, { amountMinor: 100 })),
    ]);
    for (const outcome of outcomes) {
      if (codeOf(outcome) === 'done') earlier += 1;
      else later += 1;
    }
    // An enrollment that came between the look at the programs and the erasure.
    if (isRefusal(erased)) {
      expect(erased.code).toBe('member_enrolled');
      expect(isRefusal(await erase())).toBe(false);
    }
  }
  expect({ earlier: earlier > 0, later: later > 0 }).toEqual({ earlier: true, later: true });
  const texts = Array.from({ length: ROUNDS }, (_, round) => [wordOf(round), `customer${round}x`]).flat();
  expect(await searchDatabase(adminPool, texts)).toEqual([]);
  const enrolled = await counter.value<number>(
    `select count(*)::integer from program_profiles p
     join members m on m.environment_id = p.environment_id and m.id = p.member_id
     where p.environment_id = $1 and p.enrolled`,
    [shop.id],
  );
  expect(enrolled).toBe(0);
  expect(await counter.failedControls()).toEqual([]);
}, 600_000);
