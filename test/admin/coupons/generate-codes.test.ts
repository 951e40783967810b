import { expect, test } from '@jest/globals';
import { readPattern } from '../../../src/admin/coupons/code-pattern.ts';
import {
  type CodeSink,
  GenerationInterrupted,
  generateCodes,
} from '../../../src/admin/coupons/generate-codes.ts';
import { operator } from '../../../src/admin/shared/admin-change.ts';
import { createPrisma } from '../../../src/db/prisma.ts';
import { fixture } from '../../support/fixture.ts';
import { useCounter } from '../../support/ledger/use-counter.ts';
import { program } from '../../support/rules/fixtures.ts';

const document = program({ coupons: [{ code: 'SUMMER', pool: {} }] });

const counter = useCounter();
const shop = fixture('the shop', () => counter.environment(document));

function generate(sink: CodeSink, signal?: AbortSignal) {
  const pattern = readPattern('SUMMER-########');
  if (!pattern) throw new Error('the pattern is not valid');
  const { adminPool } = counter.database;
  const administrator = { prisma: createPrisma(adminPool), actor: operator('eve') };
  const wanted = { environmentId: shop.id, programId: document.id, poolId: 'SUMMER', pattern, count: 25_000 };
  return generateCodes({ pool: adminPool, administrator }, wanted, sink, signal ? { signal } : {});
}

const stored = (): Promise<number> =>
  counter.value('select count(*)::int from coupon_codes where environment_id = $1', [shop.id]);

test('where it is interrupted, or the file takes no more, no code is stored that nobody has', async () => {
  const interruption = new AbortController();
  const written: string[] = [];
  const interrupted = generate(
    {
      write: async (codes) => {
        written.push(...codes);
        interruption.abort();
      },
      flush: async () => undefined,
    },
    interruption.signal,
  );
  await expect(interrupted).rejects.toThrow(GenerationInterrupted);
  expect(written).toHaveLength(10_000);
  expect(await stored()).toBe(0);
  const full = generate({
    write: async () => undefined,
    flush: () => Promise.reject(new Error('disk full')),
  });
  await expect(full).rejects.toThrow('disk full');
  expect(await stored()).toBe(0);
  const codes: string[] = [];
  const sink = {
    write: async (made: readonly string[]) => void codes.push(...made),
    flush: async () => undefined,
  };
  expect(await generate(sink)).toMatchObject({ count: 25_000, codes: 25_000 });
  const counts = { given: codes.length, different: new Set(codes).size, stored: await stored() };
  expect(counts).toEqual({ given: 25_000, different: 25_000, stored: 25_000 });
});
