import { beforeAll, expect, test } from '@jest/globals';
import { changeList, tagMember } from '../../../src/commands/members/label-members.ts';
import type { Writer } from '../../../src/ledger/batch/writer.ts';
import type { Command, Outcome } from '../../../src/ledger/command.ts';
import { isRefusal, type Refusal } from '../../../src/refusal.ts';
import { codeOf, receiptOf } from '../../support/commands/desk.ts';
import type { Shop } from '../../support/ledger/counter.ts';
import { useCounter } from '../../support/ledger/use-counter.ts';
import { program } from '../../support/rules/fixtures.ts';

const CLIENTS = 64;

/** Writers that share nothing but the database, as in two processes. */
let writers: Writer[];

const counter = useCounter();

beforeAll(() => {
  writers = [counter.writer(), counter.writer()];
});

const document = program({
  audiences: [
    {
      id: 'guests',
      match: 'any',
      conditions: [
        { field: 'member.tags', operator: 'equals', value: 'vip' },
        { field: 'member.lists', operator: 'equals', value: 'spring' },
      ],
    },
  ],
  campaigns: [
    { id: 'welcome', audiences: ['guests'], match: 'all', conditions: [], award: { bonusPoints: 7 } },
  ],
});

function submit(client: number, command: Command | Refusal): Promise<Outcome> {
  if (isRefusal(command)) throw new Error(command.code);
  const writer = writers[client % writers.length];
  if (!writer) throw new Error('no writer');
  return writer.submit(command);
}

/** What the trail says of ann: each change of the label and each purchase, in the order in which they were decided. */
async function course(shop: Shop): Promise<{ action: string; target_id: string }[]> {
  const { rows } = await counter.database.adminPool.query<{ action: string; target_id: string }>(
    `select action, target_id from audit_events
     where environment_id = $1 and action ~ '^(member.(un)?tagged|list.members_|purchase.completed)'
     order by at, id`,
    [shop.id],
  );
  return rows;
}

test.each([
  ['tags', 'member.tagged', 'member.untagged'],
  ['lists', 'list.members_added', 'list.members_removed'],
])(
  '64 clients change the %s of a member that buys: each purchase is decided by the one that stands then',
  async (kind, on, off) => {
    const shop = await counter.environment(document);
    await shop.addMembers(writers[0] as Writer, ['ann', 'bob']);
    const pointsOf = new Map<string, number>();
    const codes = new Set<string>();
    const inTurn = async (client: number): Promise<void> => {
      for (let round = 0; round < 6; round++) {
        const idempotencyKey = `${client}-${round}`;
        const label = { idempotencyKey, externalCustomerId: 'ann', tag: 'vip' };
        const listed = { idempotencyKey, list: 'spring', externalCustomerIds: ['bob', 'ann'] };
        const present = (client + round) % 2 === 0;
        const change =
          kind === 'tags' ? tagMember(label, present, shop.caller) : changeList(listed, present, shop.caller);
        codes.add(codeOf(await submit(client, change)));
        const bought = await submit(client + round, shop.earn('ann', { idempotencyKey }));
        codes.add(codeOf(bought));
        const { id, award } = receiptOf(bought) as { id: string; award: { campaignPoints: number } };
        pointsOf.set(id, award.campaignPoints);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => inTurn(client)));
    expect([...codes]).toEqual(['done']);
    let stands = false;
    let [changes, purchases] = [0, 0];
    for (const { action, target_id } of await course(shop)) {
      if (action === on || action === off) {
        // Only what changes something is in the trail: the changes alternate.
        expect(stands).toBe(action === off);
        stands = action === on;
        changes += 1;
      } else {
        expect(pointsOf.get(target_id)).toBe(stands ? 7 : 0);
        purchases += 1;
      }
    }
    expect(purchases).toBe(CLIENTS * 6);
    expect(changes).toBeGreaterThan(1);
    const labels = await counter.value<string[]>(
      `select ${kind} from members where environment_id = $1 and external_customer_id = 'ann'`,
      [shop.id],
    );
    expect(labels.length === 1).toBe(stands);
    expect(await counter.failedControls()).toEqual([]);
  },
);
