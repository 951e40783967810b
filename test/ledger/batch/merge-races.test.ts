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
import { requestedMerge } from '../../support/ledger/merges.ts';
import { whileOpen } from '../../support/ledger/while-open.ts';
import { repetitions } from '../../support/repetitions.ts';
import { program } from '../../support/rules/fixtures.ts';

const RACES = repetitions({ few: 200, many: 1_000 });
const AT_ONCE = 20;
const PATIENCE_MS = 600_000;

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

/** What is done with the name of the account that is being merged, and the refusals that it may get. */
const RIVALS = {
  earn: {
    make: async (name: string): Promise<Command> => shop.earn(name),
    refusals: [],
  },
  redeem: {
    make: redeem,
    // The quote was the ended account's, so the merge has cancelled it.
    refusals: ['invalid_redemption_state'],
  },
  return: {
    make: async (name: string): Promise<Command> => returned(name),
    refusals: [],
  },
  unenroll: {
    make: async (name: string): Promise<Command> => shop.unenroll(name),
    refusals: ['balance_not_zero'],
  },
} as const;

async function redeem(name: string): Promise<Command> {
  const owner = { programId: 'coffee-club', externalCustomerId: name, points: 10, rewardId: 'mug' };
  const { points: _points, ...wanted } = owner;
  const input = { ...wanted, idempotencyKey: newUuid(), sourceReference: newUuid() };
  const { quote } = receiptOf(await writers[0].submit(quoteRedemption(input, shop.caller)));
  const { id: quoteId } = quote as { id: string };
  const resource = { ...owner, id: fromTypeId('quo', quoteId) ?? '' };
  return reserveRedemption({ idempotencyKey: newUuid(), quoteId }, resource, shop.caller);
}

function returned(name: string): Command {
  const owner = { programId: 'coffee-club', externalCustomerId: name, points: 100, rewardId: null };
  const input = {
    ...{ idempotencyKey: newUuid(), sourceReference: `order of ${name}` },
    ...{ returnReference: newUuid(), returnAmountMinor: 2_500 },
  };
  const command = recordReturn(input, owner, shop.caller);
  if (isRefusal(command)) throw new Error(command.code);
  return command;
}

/** Two members of one person; the first one has bought something, except where it is to leave. */
async function twoAccounts(kind: keyof typeof RIVALS): Promise<[from: string, into: string]> {
  const names: [string, string] = [`from-${newUuid()}`, `into-${newUuid()}`];
  await shop.addMembers(writers[0], names);
  if (kind !== 'unenroll') {
    receiptOf(await writers[0].submit(shop.earn(names[0], { sourceReference: `order of ${names[0]}` })));
  }
  return names;
}

test(
  'many merges beside purchases, redemptions, returns and members who leave: every point stays the one person’s',
  async () => {
    const kinds = Object.keys(RIVALS) as (keyof typeof RIVALS)[];
    const seen = new Map<string, number>();
    const race = async (index: number): Promise<void> => {
      const kind = kinds[index % kinds.length] as keyof typeof RIVALS;
      const [from, into] = await twoAccounts(kind);
      const [merge, rival] = [
        await requestedMerge(writers[0], shop, from, into),
        await RIVALS[kind].make(from),
      ];
      const merging = (): Promise<string> => writers[0].submit(merge).then(codeOf);
      const acting = (): Promise<string> => writers[1].submit(rival).then(codeOf);
      const mergesFirst = index % 8 < 4;
      const [first, second] = await Promise.all(mergesFirst ? [merging(), acting()] : [acting(), merging()]);
      const [merged, acted] = mergesFirst ? [first, second] : [second, first];
      const outcome = `${kind}: ${acted}, merge ${merged}`;
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
      expect(['done', ...RIVALS[kind].refusals]).toContain(acted);
      expect(kind === 'redeem' ? ['done', 'reservation_open'] : ['done']).toContain(merged);
    };
    for (let index = 0; index < RACES; index += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, offset) => race(index + offset)));
    }
    expect([...seen.values()].reduce((sum, count) => sum + count, 0)).toBe(RACES);
    // Both orders have happened.
    expect(seen.get('redeem: done, merge reservation_open') ?? 0).toBeGreaterThan(0);
    expect(seen.get('redeem: invalid_redemption_state, merge done') ?? 0).toBeGreaterThan(0);
    expect(await counter.failedControls()).toEqual([]);
  },
  PATIENCE_MS,
);

async function pointsOf(name: string): Promise<number> {
  return counter.value(
    `select (available + pending)::integer from program_profiles p
     join members m on (m.environment_id, m.id) = (p.environment_id, p.member_id)
     where m.environment_id = $1 and m.external_customer_id = $2`,
    [shop.id, name],
  );
}

test(
  'a purchase for the old name that waits for the merge is decided on the new member',
  async () => {
    const [from, into] = await twoAccounts('earn');
    const before = await pointsOf(from);
    const merge = await requestedMerge(writers[0], shop, from, into);
    const [merged, earned] = await whileOpen(counter, writers, merge, shop.earn(from));
    expect(codeOf(merged)).toBe('done');
    expect(receiptOf(earned)).toMatchObject({ member: { externalCustomerId: into } });
    expect({ from: await pointsOf(from), into: await pointsOf(into) }).toEqual({ from: 0, into: 2 * before });
  },
  PATIENCE_MS,
);

test(
  'an enrollment for the old name that waits for the merge is that of the new member',
  async () => {
    const [from, into] = [`from-${newUuid()}`, `into-${newUuid()}`];
    for (const name of [from, into]) receiptOf(await writers[0].submit(shop.createMember(name)));
    const merge = await requestedMerge(writers[0], shop, from, into);
    const [merged, enrolled] = await whileOpen(counter, writers, merge, shop.enroll(from));
    expect(codeOf(merged)).toBe('done');
    expect(receiptOf(enrolled)).toMatchObject({ created: true, member: { externalCustomerId: into } });
    expect(await counter.failedControls()).toEqual([]);
  },
  PATIENCE_MS,
);
