import { expect, test } from '@jest/globals';
import type { RequestContext } from '../../../src/graphql/execution/context.ts';
import { RecentOwners } from '../../../src/graphql/execution/recent-owners.ts';
import { submitOnOwned } from '../../../src/graphql/resolvers/shared/owned-resources.ts';
import { newUuid, toTypeId } from '../../../src/ids.ts';
import type { Command, Outcome } from '../../../src/ledger/command.ts';
import type { OwnedResource } from '../../../src/ledger/resource-owner.ts';
import { refuse } from '../../../src/refusal.ts';

const names = { programId: 'club', points: 10, rewardId: 'mug' };

/** A new quote of a customer, as its receipt shows it, and the owner of it. */
function quoteOf(externalCustomerId: string) {
  const id = newUuid();
  const owner = { id, externalCustomerId, ...names };
  return { owner, receipt: { ...owner, id: toTypeId('quo', id) } };
}

test('what was remembered is given once, as what it is, to its own environment', () => {
  const owners = new RecentOwners();
  const { owner, receipt } = quoteOf('ann');
  owners.remember('quote', 'one', receipt);
  expect(owners.take('quote', 'two', receipt.id)).toBeNull();
  expect(owners.take('quote', 'one', quoteOf('ann').receipt.id)).toBeNull();
  expect(owners.take('reservation', 'one', receipt.id)).toBeNull();
  expect(owners.take('quote', 'one', receipt.id)).toEqual(owner);
  expect(owners.take('quote', 'one', receipt.id)).toBeNull();
});

test('of a reservation the transaction is remembered that holds its points', () => {
  const owners = new RecentOwners();
  const [id, reserveTransactionId] = [newUuid(), newUuid()];
  const receipt = {
    ...{ ...names, id: toTypeId('rsv', id), externalCustomerId: 'ann' },
    transactionId: toTypeId('txn', reserveTransactionId),
  };
  owners.remember('reservation', 'one', receipt);
  expect(owners.take('reservation', 'one', receipt.id)).toEqual({
    ...{ ...names, id, externalCustomerId: 'ann', reserveTransactionId },
  });
});

test('of more than 8,192 the oldest are forgotten', () => {
  const owners = new RecentOwners();
  const receipts = Array.from({ length: 8_193 }, (_, index) => quoteOf(`customer-${index}`).receipt);
  for (const receipt of receipts) owners.remember('quote', 'one', receipt);
  expect(owners.take('quote', 'one', receipts[0]?.id ?? '')).toBeNull();
  expect(owners.take('quote', 'one', receipts[1]?.id ?? '')?.externalCustomerId).toBe('customer-1');
  expect(owners.take('quote', 'one', receipts[8_192]?.id ?? '')?.externalCustomerId).toBe('customer-8192');
});

/** A request whose commands have these outcomes, one after the other, and what it has read, made and submitted. */
function requestWith(...outcomes: Outcome[]) {
  const recentOwners = new RecentOwners();
  const { owner, receipt } = quoteOf('ann');
  const read: unknown[] = [];
  const made: (OwnedResource | null)[] = [];
  const commands: Command[] = [];
  const context = {
    ...{ requestId: 'req', credential: { environmentId: 'one' }, recentOwners },
    queries: {
      owner: async (_environmentId: string, reference: unknown) => {
        read.push(reference);
        return { ...names, externalCustomerId: 'present' };
      },
    },
    commands: {
      submit: async (command: Command) => {
        commands.push(command);
        return outcomes.shift();
      },
    },
  } as unknown as RequestContext;
  const submit = () =>
    submitOnOwned('quote', receipt.id, context, (resource) => {
      made.push(resource);
      return {} as Command;
    });
  return { recentOwners, owner, receipt, read, made, commands, submit };
}

const done: Outcome = { receipt: {}, idempotent: false };

test('the owner of what was made lately is not read', async () => {
  const { recentOwners, receipt, owner, read, made, submit } = requestWith(done, done);
  recentOwners.remember('quote', 'one', receipt);
  expect(await submit()).toEqual({ requestId: 'req', idempotent: false });
  expect({ read, made }).toEqual({ read: [], made: [owner] });
  await submit();
  expect(read).toEqual([{ kind: 'quote', id: owner.id }]);
});

test('the command has with it that of the stored owner, for where its owner has another name', async () => {
  const { recentOwners, receipt, owner, read, made, commands, submit } = requestWith(done, done);
  recentOwners.remember('quote', 'one', receipt);
  await submit();
  await submit();
  await commands[0]?.again?.();
  expect(read).toHaveLength(2);
  const stored = { ...owner, externalCustomerId: 'present' };
  expect(made).toEqual([owner, stored, stored]);
  expect(commands[1]?.again).toBeUndefined();
});

test('a refusal is told', async () => {
  const { recentOwners, receipt, submit } = requestWith(refuse('insufficient_points', 'No.'));
  recentOwners.remember('quote', 'one', receipt);
  await expect(submit()).rejects.toMatchObject({ extensions: { code: 'insufficient_points' } });
});
