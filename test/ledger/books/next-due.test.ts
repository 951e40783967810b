import { expect, test } from '@jest/globals';
import { recordReturn } from '../../../src/commands/returns/record-return.ts';
import type { Command } from '../../../src/ledger/command.ts';
import { isRefusal } from '../../../src/refusal.ts';
import type { Shop } from '../../support/ledger/counter.ts';
import { useCounter } from '../../support/ledger/use-counter.ts';
import { program } from '../../support/rules/fixtures.ts';

const counter = useCounter();

/** A return of a whole order of 100 dollars, or of a part. */
function giveBack(shop: Shop, sourceReference: string, returnAmountMinor: number): Command {
  const owner = { programId: 'coffee-club', externalCustomerId: 'ann', points: 100, rewardId: null };
  const input = {
    idempotencyKey: `back-${sourceReference}`,
    sourceReference,
    returnReference: `back-${sourceReference}`,
    returnAmountMinor,
  };
  const command = recordReturn(input, owner, shop.caller);
  if (isRefusal(command)) throw new Error(command.code);
  return command;
}

// A batch loads the lots that are due next and those that its commands name. After one command has emptied the loaded
// lots, they no longer show the next command what is due next.
test.each([
  ['activate', program({ pending: { days: 14 } }), 'activates_at', 'pending'],
  ['expire', program({ expiration: { policy: 'rolling_days', days: 30 } }), 'expires_at', 'available'],
])(
  'two commands of one batch do not forget the lots between theirs that %s',
  async (_what, document, at, held) => {
    const shop = await counter.environment(document);
    const writer = counter.writer({ lanes: 1 });
    await shop.addMembers(writer, ['ann', 'bob']);
    for (const [index, sourceReference] of ['first', 'between', 'last'].entries()) {
      const occurredAt = new Date(Date.now() - (3 - index) * 86_400_000).toISOString();
      await writer.submit(shop.earn('ann', { sourceReference, occurredAt }));
    }
    // The first command is a batch of its own; the ones after it gather in the next batch.
    const outcomes = await Promise.all([
      writer.submit(shop.earn('bob')),
      writer.submit(giveBack(shop, 'first', 10_000)),
      writer.submit(giveBack(shop, 'last', 5_000)),
    ]);
    expect(outcomes.filter(isRefusal)).toEqual([]);
    const late = await counter.value<number>(
      `select count(*)::integer from program_profiles p
     join lots l on l.environment_id = p.environment_id and l.member_id = p.member_id and l.${held} > 0
     where p.environment_id = $1 and (p.next_due_at is null or p.next_due_at > l.${at})`,
      [shop.id],
    );
    expect(late).toBe(0);
    expect(await counter.failedControls()).toEqual([]);
  },
);
