import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { isOfInput, storedFingerprint } from '../../../src/ledger/tables/idempotency-keys.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { receiptOf } from '../../support/commands/desk.ts';
import { useCounter } from '../../support/ledger/use-counter.ts';

const counter = useCounter();

test('an input is told from another one by every byte that is stored, 16 of them or all', () => {
  const fingerprint = randomBytes(32);
  for (const stored of [storedFingerprint(fingerprint), fingerprint]) {
    expect(isOfInput(stored, fingerprint)).toBe(true);
    for (const [index, byte] of stored.entries())
      expect(isOfInput(stored, fingerprint.with(index, byte ^ 1) as Buffer)).toBe(false);
  }
  expect(storedFingerprint(fingerprint)).toHaveLength(16);
  expect(isOfInput(fingerprint.subarray(0, 15), fingerprint)).toBe(false);
});

test('keys with a whole fingerprint, as they were stored before, are replayed, and refused for another input', async () => {
  const shop = await counter.environment();
  await shop.addMembers(counter.writer(), ['ann']);
  const buy = (amountMinor: number) => shop.earn('ann', { idempotencyKey: 'bought', amountMinor });
  const first = receiptOf(await counter.writer().submit(buy(700)));
  const { adminPool } = counter.database;
  const key = `environment_id = $1 and key = 'bought'`;
  expect(
    await counter.value(`select length(fingerprint) from idempotency_keys where ${key}`, [shop.id]),
  ).toBe(16);
  for (const stored of [buy(700).fingerprint, storedFingerprint(buy(700).fingerprint)]) {
    await adminPool.query(`update idempotency_keys set fingerprint = $2 where ${key}`, [shop.id, stored]);
    const replay = await counter.writer().submit(buy(700));
    expect(replay).toMatchObject({ idempotent: true });
    expect(receiptOf(replay)).toEqual(first);
    const other = await counter.writer().submit(buy(701));
    expect(isRefusal(other) && other.code).toBe('idempotency_key_reused');
  }
  const short = adminPool.query(`update idempotency_keys set fingerprint = '\\x00' where ${key}`, [shop.id]);
  await expect(short).rejects.toMatchObject({ constraint: 'idempotency_keys_fingerprint_check' });
});
