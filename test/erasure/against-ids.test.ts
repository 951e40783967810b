import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Administrator, operator } from '../../src/admin/shared/admin-change.ts';
import { approveAdjustment } from '../../src/commands/adjustments/approve-adjustment.ts';
import { rejectAdjustment } from '../../src/commands/adjustments/reject-adjustment.ts';
import { requestAdjustment } from '../../src/commands/adjustments/request-adjustment.ts';
import { approveMemberMerge, rejectMemberMerge } from '../../src/commands/members/decide-member-merge.ts';
import { requestMemberMerge } from '../../src/commands/members/request-member-merge.ts';
import { commitRedemption } from '../../src/commands/redemptions/commit-redemption.ts';
import { openDispute } from '../../src/commands/redemptions/open-dispute.ts';
import { quoteRedemption } from '../../src/commands/redemptions/quote-redemption.ts';
import { rejectDispute } from '../../src/commands/redemptions/reject-dispute.ts';
import { releaseRedemption } from '../../src/commands/redemptions/release-redemption.ts';
import { reserveRedemption } from '../../src/commands/redemptions/reserve-redemption.ts';
import { resolveDispute } from '../../src/commands/redemptions/resolve-dispute.ts';
import { reverseRedemption } from '../../src/commands/redemptions/reverse-redemption.ts';
import { updateFulfillment } from '../../src/commands/redemptions/update-fulfillment.ts';
import { recordReturn } from '../../src/commands/returns/record-return.ts';
import { createPrisma } from '../../src/db/prisma.ts';
import { eraseMember } from '../../src/erasure/erase-member.ts';
import { fromTypeId, newUuid } from '../../src/ids.ts';
import type { Writer } from '../../src/ledger/batch/writer.ts';
import type { Command } from '../../src/ledger/command.ts';
import type { OwnedResource, ResourceOwner } from '../../src/ledger/resource-owner.ts';
import { findMergeNames, ResourceOwners } from '../../src/queries/shared/resource-owners.ts';
import { isRefusal, type Refusal } from '../../src/refusal.ts';
import { codeOf, receiptOf } from '../support/commands/desk.ts';
import { searchDatabase } from '../support/erasure/search-database.ts';
import { Counter, type Shop } from '../support/ledger/counter.ts';
import { repetitions } from '../support/repetitions.ts';
import { program } from '../support/rules/fixtures.ts';

const RACES = repetitions({ few: 3, many: 12 });

let counter: Counter;
let shop: Shop;
let writers: [Writer, Writer];
let administrator: Administrator;
let owners: ResourceOwners;

beforeAll(async () => {
  counter = await Counter.open();
  shop = await counter.environment(program({ rewards: [{ id: 'mug', name: 'A mug', points: 10 }] }));
  writers = [counter.writer(), counter.writer()];
  const { adminPool } = counter.database;
  administrator = { prisma: createPrisma(adminPool), actor: operator('eve') };
  owners = new ResourceOwners({ of: () => adminPool });
}, 60_000);

afterAll(async () => {
  await administrator.prisma.$disconnect();
  await counter.close();
});

/** What a resolver looks up before it submits a command. Ids are UUIDs. */
const lookUp = {
  reservation: (id: string) => owned('reservation', id),
  quote: (id: string) => owned('quote', id),
  adjustment: (id: string) => owned('adjustment', id),
  order: (sourceReference: string) => owners.find(shop.id, { kind: 'order', sourceReference }),
  async merge(id: string) {
    const names = await findMergeNames(counter.database.adminPool, shop.id, id);
    return names && { ...names, id };
  },
};

async function owned(
  kind: 'quote' | 'reservation' | 'adjustment',
  id: string,
): Promise<OwnedResource | null> {
  const owner = await owners.find(shop.id, { kind, id });
  return owner && { ...owner, id };
}

/** A command that names something by its id: looked up at one time, made into a command, and submitted at another. */
interface ById {
  look(): Promise<Command | Refusal>;
  /** How it ends once the member is erased. */
  after: string;
}

function byId<Found>(
  find: (name: string) => Promise<Found>,
  name: string,
  make: (idempotencyKey: string, found: Found) => Command | Refusal,
  after: string,
): ById {
  return { look: async () => make(newUuid(), await find(name)), after };
}

async function submit(command: Command | Refusal): Promise<string> {
  return isRefusal(command) ? command.code : codeOf(await writers[1].submit(command));
}

/** @returns the id of what the command has made: public, and as a UUID */
async function made(command: Command | Refusal, name: string, prefix: Parameters<typeof fromTypeId>[0]) {
  if (isRefusal(command)) throw new Error(command.code);
  const { id } = receiptOf(await writers[0].submit(command))[name] as { id: string };
  return { id, uuid: fromTypeId(prefix, id) ?? '' };
}

const as = (id: string) => ({ ...shop.caller, actor: { type: 'api_key', id } as const });

async function quoted(externalCustomerId: string) {
  const input = { externalCustomerId, programId: 'coffee-club', rewardId: 'mug', sourceReference: newUuid() };
  const command = quoteRedemption({ ...input, idempotencyKey: newUuid() }, shop.caller);
  return made(command, 'quote', 'quo');
}

async function held(externalCustomerId: string) {
  const quote = await quoted(externalCustomerId);
  const input = { idempotencyKey: newUuid(), quoteId: quote.id };
  return made(reserveRedemption(input, await lookUp.quote(quote.uuid), shop.caller), 'reservation', 'rsv');
}

async function redeemed(externalCustomerId: string) {
  const reservation = await held(externalCustomerId);
  const input = {
    idempotencyKey: newUuid(),
    reservationId: reservation.id,
    authorizationReference: newUuid(),
  };
  receiptOf(
    await writers[0].submit(commitRedemption(input, await lookUp.reservation(reservation.uuid), shop.caller)),
  );
  return reservation;
}

async function adjusted(externalCustomerId: string) {
  const input = {
    ...{ idempotencyKey: newUuid(), programId: 'coffee-club', externalCustomerId, points: 5 },
    ...{ direction: 'credit' as const, reason: 'cold coffee', evidence: { ticket: 1 } },
  };
  return made(requestAdjustment(input, as('clerk')), 'adjustment', 'adj');
}

async function disputed({ id: reservationId, uuid }: { id: string; uuid: string }) {
  const input = { idempotencyKey: newUuid(), reservationId, reason: 'broken' };
  return made(openDispute(input, await lookUp.reservation(uuid), shop.caller), 'dispute', 'dsp');
}

async function mergeAsked(externalCustomerId: string, intoExternalCustomerId: string) {
  const input = {
    ...{ idempotencyKey: newUuid(), externalCustomerId, intoExternalCustomerId },
    ...{ reason: 'one person', evidence: { ticket: 2 } },
  };
  return made(requestMemberMerge(input, as('clerk')), 'merge', 'mrg');
}

async function erase(externalCustomerId: string): Promise<void> {
  const erased = await eraseMember(
    { administrator, pool: counter.database.adminPool, door: writers[0] },
    { environmentId: shop.id, externalCustomerId, reason: 'test', forfeit: true },
  );
  expect(isRefusal(erased)).toBe(false);
}

/** Every command that names something of a member by an id, with something of its own to name. */
async function commandsById(customer: string, order: string): Promise<Record<string, ById>> {
  const [bought, committed, open, wanted] = [
    await redeemed(customer),
    await redeemed(customer),
    await held(customer),
    await quoted(customer),
  ];
  const disputes = [await disputed(bought), await disputed(bought)] as const;
  const adjustments = [await adjusted(customer), await adjusted(customer)] as const;
  const other = newUuid();
  await shop.addMembers(writers[0], [other]);
  const merge = await mergeAsked(customer, other);
  const { caller } = shop;
  const onReservation = (
    { id: reservationId, uuid }: { id: string; uuid: string },
    make: (keyed: { idempotencyKey: string; reservationId: string }, found: OwnedResource | null) => Command,
    after: string,
  ): ById =>
    byId(
      lookUp.reservation,
      uuid,
      (idempotencyKey, found) => make({ idempotencyKey, reservationId }, found),
      after,
    );
  return {
    reserveRedemption: byId(
      lookUp.quote,
      wanted.uuid,
      (idempotencyKey, found) => reserveRedemption({ idempotencyKey, quoteId: wanted.id }, found, caller),
      'member_not_found',
    ),
    // The forfeited enrollment has ended the hold.
    commitRedemption: onReservation(
      open,
      (keyed, found) => commitRedemption({ ...keyed, authorizationReference: 'a' }, found, caller),
      'invalid_redemption_state',
    ),
    releaseRedemption: onReservation(
      open,
      (keyed, found) => releaseRedemption({ ...keyed, reason: 'r' }, found, caller),
      'invalid_redemption_state',
    ),
    reverseRedemption: onReservation(
      committed,
      (keyed, found) => reverseRedemption({ ...keyed, reason: 'r' }, found, caller),
      'enrollment_required',
    ),
    updateFulfillment: onReservation(
      bought,
      (keyed, found) => updateFulfillment({ ...keyed, status: 'shipped' }, found, caller),
      'done',
    ),
    openDispute: onReservation(
      bought,
      (keyed, found) => openDispute({ ...keyed, reason: 'r' }, found, caller),
      'done',
    ),
    resolveDispute: onReservation(
      bought,
      (keyed, found) =>
        resolveDispute(
          { ...keyed, disputeId: disputes[0].id, resolution: 'r', reverse: false },
          found,
          caller,
        ),
      'done',
    ),
    rejectDispute: onReservation(
      bought,
      (keyed, found) => rejectDispute({ ...keyed, disputeId: disputes[1].id, reason: 'r' }, found, caller),
      'done',
    ),
    approveAdjustment: byId(
      lookUp.adjustment,
      adjustments[0].uuid,
      (idempotencyKey, found) =>
        approveAdjustment(
          { idempotencyKey, adjustmentId: adjustments[0].id, reason: 'r' },
          found,
          as('boss'),
        ),
      'member_not_found',
    ),
    rejectAdjustment: byId(
      lookUp.adjustment,
      adjustments[1].uuid,
      (idempotencyKey, found) =>
        rejectAdjustment({ idempotencyKey, adjustmentId: adjustments[1].id, reason: 'r' }, found, as('boss')),
      'done',
    ),
    recordReturn: byId<ResourceOwner | null>(
      lookUp.order,
      order,
      (idempotencyKey, found) =>
        recordReturn(
          {
            idempotencyKey,
            sourceReference: order,
            returnReference: newUuid(),
            returnAmountMinor: 100,
          },
          found,
          caller,
        ),
      'done',
    ),
    approveMemberMerge: byId(
      lookUp.merge,
      merge.uuid,
      (idempotencyKey, found) =>
        approveMemberMerge({ idempotencyKey, mergeId: merge.id, reason: 'r' }, found, as('boss')),
      'member_not_found',
    ),
    rejectMemberMerge: byId(
      lookUp.merge,
      merge.uuid,
      (idempotencyKey, found) =>
        rejectMemberMerge({ idempotencyKey, mergeId: merge.id, reason: 'r' }, found, as('boss')),
      'done',
    ),
  };
}

test('a command by an id that was looked up before an erasure, and runs after it, is told to come again, or at once what holds', async () => {
  const [customer, order] = ['looked-up-before', 'an order'];
  await shop.addMembers(writers[0], [customer]);
  receiptOf(await writers[0].submit(shop.earn(customer, { sourceReference: order })));
  const commands = Object.entries(await commandsById(customer, order));
  const looked = await Promise.all(commands.map(async ([, { look }]) => look()));
  await erase(customer);
  const first: Record<string, string> = {};
  const again: Record<string, string> = {};
  for (const [index, [name]] of commands.entries()) {
    first[name] = await submit(looked[index] as Command | Refusal);
  }
  for (const [name, { look }] of commands) again[name] = await submit(await look());
  // A quote that an erasure has cancelled is not looked for under another name.
  const told = Object.fromEntries(commands.map(([name]) => [name, 'overloaded']));
  expect(first).toEqual({ ...told, reserveRedemption: 'member_not_found' });
  expect(again).toEqual(Object.fromEntries(commands.map(([name, { after }]) => [name, after])));
  expect(await counter.failedControls()).toEqual([]);
}, 120_000);

test('commands by an id at the moment of an erasure are all done, before it or after it, and leave nothing behind', async () => {
  const customerOf = (round: number): string => `raced${round}x`;
  for (let round = 0; round < RACES; round += 1) {
    const customer = customerOf(round);
    await shop.addMembers(writers[0], [customer]);
    receiptOf(await writers[0].submit(shop.earn(customer, { sourceReference: `raced order ${round}` })));
    const commands = Object.entries(await commandsById(customer, `raced order ${round}`));
    // Those that an erased member's rows allow as well.
    const allowed = commands.filter(([, { after }]) => after === 'done').map(([, { look }]) => look);
    const act = async (look: ById['look']): Promise<string> => {
      const code = await submit(await look());
      return code === 'overloaded' ? act(look) : code;
    };
    const [, ...outcomes] = await Promise.all([erase(customer), ...allowed.map(act)]);
    expect(outcomes).toEqual(allowed.map(() => 'done'));
  }
  const names = Array.from({ length: RACES }, (_, round) => customerOf(round));
  expect(await searchDatabase(counter.database.adminPool, names)).toEqual([]);
  expect(await counter.failedControls()).toEqual([]);
}, 600_000);
