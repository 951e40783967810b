import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { quoteRedemption } from '../../../src/commands/redemptions/quote-redemption.ts';
import { reserveRedemption } from '../../../src/commands/redemptions/reserve-redemption.ts';
import { recordReturn } from '../../../src/commands/returns/record-return.ts';
import { fromTypeId, newUuid } from '../../../src/ids.ts';
import type { Writer } from '../../../src/ledger/batch/writer.ts';
import type { Command } from '../../../src/ledger/command.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { codeOf, receiptOf } from '../../support/commands/desk.ts';
import { Counter, type Shop } from '../../support/ledger/counter.ts';
import { requestedMerge, requestedUnmerge } from '../../support/ledger/merges.ts';
import { repetitions } from '../../support/repetitions.ts';
import { program } from '../../support/rules/fixtures.ts';

const RACES = repetitions({ few: 80, many: 1_000 });
const AT_ONCE = 20;
const PATIENCE_MS = 900_000;

let counter: Counter;
/** Two writers that share nothing but the database, as in two processes. */
let writers: [Writer, Writer];
let shop: Shop;

beforeAll(async () => {
  counter = await Counter.open();
  writers = [counter.writer(), counter.writer()];
  shop = await counter.environment(program({ rewards: [{ id: 'mug', name: 'A mug', points: 10 }] }));
}, 60_000);

afterAll(() => counter.close());

/** What is done while two accounts are parted, and each pair of outcomes that it may come to. */
const RIVALS: Readonly<
  Record<string, { make(from: string, into: string): Promise<Command>; outcomes: readonly string[] }>
> = {
  // By the old name: of the joined account before, of its own one after.
  earn: { make: async (from) => shop.earn(from), outcomes: ['done, unmerge done'] },
  // What the joined account holds cannot be given back; the other one alone has too few points.
  redeem: {
    make: redeem,
    outcomes: ['done, unmerge merged_points_used', 'insufficient_points, unmerge done'],
  },
  // Looked up while the two were one.
  return: {
    make: async (from, into) => returned(from, into),
    outcomes: ['done, unmerge merged_points_used', 'overloaded, unmerge done'],
  },
  unenroll: { make: async (from) => shop.unenroll(from), outcomes: ['done, unmerge done'] },
};

/** Reserves a reward for the joined account. */
async function redeem(_from: string, into: string): Promise<Command> {
  const owner = { programId: 'coffee-club', externalCustomerId: into, points: 10, rewardId: 'mug' };
  const { points: _points, ...wanted } = owner;
  const input = { ...wanted, idempotencyKey: newUuid(), sourceReference: newUuid() };
  const { quote } = receiptOf(await writers[0].submit(quoteRedemption(input, shop.caller)));
  const { id: quoteId } = quote as { id: string };
  const resource = { ...owner, id: fromTypeId('quo', quoteId) ?? '' };
  return reserveRedemption({ idempotencyKey: newUuid(), quoteId }, resource, shop.caller);
}

function returned(from: string, into: string): Command {
  const owner = { programId: 'coffee-club', externalCustomerId: into, points: 100, rewardId: null };
  const input = {
    ...{ idempotencyKey: newUuid(), sourceReference: `order of ${from}` },
    ...{ returnReference: newUuid(), returnAmountMinor: 2_500 },
  };
  const command = recordReturn(input, owner, shop.caller);
  if (isRefusal(command)) throw new Error(command.code);
  return command;
}

/** Two accounts that were merged; the first one has bought something before, except where it is to leave. */
async function merged(kind: string): Promise<[from: string, into: string]> {
  const names: [string, string] = [`from-${newUuid()}`, `into-${newUuid()}`];
  await shop.addMembers(writers[0], names);
  if (kind !== 'unenroll') {
    receiptOf(await writers[0].submit(shop.earn(names[0], { sourceReference: `order of ${names[0]}` })));
  }
  receiptOf(await writers[0].submit(await requestedMerge(writers[0], shop, ...names)));
  return names;
}

test(
  'many merges undone beside purchases, redemptions, returns and members who leave: every point stays its account’s',
  async () => {
    const kinds = Object.keys(RIVALS);
    const seen = new Map<string, number>();
    const race = async (index: number): Promise<void> => {
      const kind = kinds[index % kinds.length] as string;
      const { make, outcomes } = RIVALS[kind] as (typeof RIVALS)[string];
      const [from, into] = await merged(kind);
      const [unmerge, rival] = [await requestedUnmerge(writers[0], shop, from, into), await make(from, into)];
      const parting = (): Promise<string> => writers[0].submit(unmerge).then(codeOf);
      const acting = (): Promise<string> => writers[1].submit(rival).then(codeOf);
      const partsFirst = index % 8 < 4;
      // Some of them one after the other: what is waiting for a batch that runs alone is mostly decided before it.
      const inTurn = index % 16 < 4 ? await parting() : null;
      const [first, second] = await Promise.all(
        partsFirst ? [inTurn ?? parting(), acting()] : [acting(), parting()],
      );
      const [parted, acted] = partsFirst ? [first, second] : [second, first];
      const outcome = `${acted}, unmerge ${parted}`;
      expect(outcomes).toContain(outcome);
      seen.set(`${kind}: ${outcome}`, (seen.get(`${kind}: ${outcome}`) ?? 0) + 1);
    };
    for (let index = 0; index < RACES; index += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, offset) => race(index + offset)));
    }
    expect([...seen.values()].reduce((sum, count) => sum + count, 0)).toBe(RACES);
    // Both orders have happened.
    const all = Object.entries(RIVALS).flatMap(([kind, { outcomes }]) =>
      outcomes.map((outcome) => `${kind}: ${outcome}`),
    );
    expect([...seen.keys()].toSorted()).toEqual(all.toSorted());
    expect(await counter.failedControls()).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'a member is merged and parted again and again, while purchases come under both names',
  async () => {
    const names: [string, string] = [`from-${newUuid()}`, `into-${newUuid()}`];
    await shop.addMembers(writers[0], names);
    const rounds = repetitions({ few: 5, many: 40 });
    for (let round = 0; round < rounds; round += 1) {
      const merge = await requestedMerge(writers[0], shop, ...names);
      const bought = names.flatMap((name) => [shop.earn(name), shop.earn(name)]);
      const during = await Promise.all([
        writers[0].submit(merge),
        ...bought.map((command) => writers[1].submit(command)),
      ]);
      expect(during.map(codeOf)).toEqual(during.map(() => 'done'));
      const unmerge = await requestedUnmerge(writers[1], shop, ...names);
      const after = await Promise.all([
        writers[1].submit(unmerge),
        ...names.map((name) => writers[0].submit(shop.earn(name))),
      ]);
      expect(after.map(codeOf)).toEqual(after.map(() => 'done'));
    }
    const [held, earned] = await counter.value<[number, number]>(
      `with own as (select id from members where environment_id = $1 and external_customer_id = any($2))
       select array[
         (select sum(available + pending) from program_profiles
           where environment_id = $1 and member_id in (select id from own)),
         (select sum(points) from transactions
           where environment_id = $1 and member_id in (select id from own) and event_type = 'purchase.completed')
       ]::integer[]`,
      [shop.id, names],
    );
    expect(held).toBe(earned);
    expect(await counter.failedControls()).toEqual([]);
  },
  PATIENCE_MS,
);
