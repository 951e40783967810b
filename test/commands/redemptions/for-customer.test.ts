import { expect, test } from '@jest/globals';
import { commitForCustomer } from '../../../src/commands/redemptions/commit-for-customer.ts';
import { quoteForCustomer } from '../../../src/commands/redemptions/quote-for-customer.ts';
import { toldCustomer } from '../../../src/commands/shared/for-customer.ts';
import { isRefusal, refuse } from '../../../src/refusal.ts';
import { codeOf, rows } from '../../support/commands/desk.ts';
import { rewardCounter } from '../../support/commands/reward-counter.ts';

test('a quote of a customer has a reference that no other quote has', () => {
  const desk = rewardCounter();
  for (const idempotencyKey of ['first', 'second']) {
    const input = { idempotencyKey, programId: 'coffee-club', externalCustomerId: 'ann', rewardId: 'mug' };
    expect(codeOf(desk.run(quoteForCustomer(input, desk.caller)))).toBe('done');
  }
  const references = rows(desk.store.tables.quotes).map(({ sourceReference }) => sourceReference);
  expect(references).toEqual(Array(2).fill(expect.stringMatching(/^customer-[0-9a-f-]{36}$/)));
  expect(new Set(references).size).toBe(2);
});

const own = {
  id: '00000000-0000-7000-8000-000000000001',
  ...{ externalCustomerId: 'ann', programId: 'coffee-club', rewardId: 'mug', points: 100 },
};

test.each([
  ['what the checkout has authorized', own, 'auth-1', false],
  ['anything else', own, 'auth-2', true],
  ['anything, where the token says nothing', own, null, true],
  ["what is not the customer's, which is not found later", null, null, false],
])('a commit of %s', (_what, resource, authorized, isRefused) => {
  const { caller } = rewardCounter();
  const input = { idempotencyKey: 'k', reservationId: 'rsv_1', authorizationReference: 'auth-1' };
  const command = commitForCustomer(input, resource, authorized, caller);
  expect(isRefusal(command) ? command.code : null).toBe(isRefused ? 'authorization_required' : null);
});

test('customers are not told the rules of the merchant', () => {
  expect(toldCustomer(refuse('reward_not_eligible', 'It is for the tier gold.'))).toMatchObject({
    code: 'reward_not_eligible',
    message: 'This reward is not for you at present.',
  });
  const other = refuse('inventory_exhausted', 'Nothing is left of this reward.');
  expect(toldCustomer(other)).toBe(other);
});
