import { expect, test } from '@jest/globals';
import { commitRedemption } from '../../../src/commands/redemptions/commit-redemption.ts';
import { quoteRedemption } from '../../../src/commands/redemptions/quote-redemption.ts';
import { releaseRedemption } from '../../../src/commands/redemptions/release-redemption.ts';
import { reserveRedemption } from '../../../src/commands/redemptions/reserve-redemption.ts';
import { reverseRedemption } from '../../../src/commands/redemptions/reverse-redemption.ts';
import { fromTypeId, newUuid, toTypeId } from '../../../src/ids.ts';
import type { Command } from '../../../src/ledger/command.ts';
import { verifyLedger } from '../../../src/ledger/controls/verify.ts';
import type { OwnedResource } from '../../../src/ledger/resource-owner.ts';
import { receiptOf } from '../../support/commands/desk.ts';
import type { Shop } from '../../support/ledger/counter.ts';
import { useCounter, useWriter } from '../../support/ledger/use-counter.ts';
import { program } from '../../support/rules/fixtures.ts';
import { useConnection } from '../../support/use-database.ts';

const STATES = ['reserved', 'committed', 'released', 'reversed'] as const;
type State = (typeof STATES)[number];

const counter = useCounter();
const client = useConnection(() => counter.database.adminPool);
const writer = useWriter(counter);

/** An environment where ann has a redemption in each state. @returns their UUIDs */
async function redemptions(): Promise<{ shop: Shop; ids: Record<State, string> }> {
  const rewards = [{ id: 'mug', name: 'A mug', points: 10, inventory: 5 }];
  const shop = await counter.environment(program({ rewards }));
  await shop.addMembers(writer, ['ann']);
  receiptOf(await writer.submit(shop.earn('ann')));
  const ids: Record<State, string> = { reserved: '', committed: '', released: '', reversed: '' };
  for (const state of STATES) ids[state] = await redeem(shop, state);
  return { shop, ids };
}

/**
 * An environment where ben has paid with 150 points of two lots of 100, and 30 of the discount of 75 were reversed.
 * @returns the UUID of the redemption
 */
async function partlyReversed(): Promise<{ shop: Shop; id: string }> {
  const payWithPoints = { pointsPerUnit: 2, unitMinor: 1 };
  const rewards = [{ id: 'voucher', name: 'A voucher', payWithPoints, inventory: 5 }];
  const shop = await counter.environment(program({ rewards }));
  await shop.addMembers(writer, ['ben']);
  for (const _lot of [1, 2]) receiptOf(await writer.submit(shop.earn('ben', { amountMinor: 10_000 })));
  const id = await redeem(shop, 'committed', { externalCustomerId: 'ben', points: 150, rewardId: 'voucher' });
  const reservationId = toTypeId('rsv', id);
  for (const amountMinor of [29, 1]) {
    const input = { idempotencyKey: newUuid(), reservationId, reason: 'r', amountMinor };
    const owner = {
      id,
      programId: 'coffee-club',
      externalCustomerId: 'ben',
      points: 150,
      rewardId: 'voucher',
    };
    receiptOf(await writer.submit(reverseRedemption(input, owner, shop.caller)));
  }
  return { shop, id };
}

async function redeem(
  shop: Shop,
  state: State,
  redeemed = { externalCustomerId: 'ann', points: 10, rewardId: 'mug' },
): Promise<string> {
  const owner = { programId: 'coffee-club', ...redeemed };
  const named = (id: string, prefix: 'quo' | 'rsv'): OwnedResource => ({
    ...owner,
    id: fromTypeId(prefix, id) ?? '',
  });
  const run = async (command: Command): Promise<Record<string, unknown>> =>
    receiptOf(await writer.submit(command));
  const quoteInput = {
    idempotencyKey: newUuid(),
    programId: owner.programId,
    externalCustomerId: owner.externalCustomerId,
    rewardId: owner.rewardId,
    sourceReference: state,
    ...(owner.rewardId === 'voucher' && { points: owner.points }),
  };
  const { quote } = await run(quoteRedemption(quoteInput, shop.caller));
  const { id: quoteId } = quote as { id: string };
  const reserveInput = { idempotencyKey: newUuid(), quoteId };
  const { reservation } = await run(reserveRedemption(reserveInput, named(quoteId, 'quo'), shop.caller));
  const { id: reservationId } = reservation as { id: string };
  const held = named(reservationId, 'rsv');
  const input = { idempotencyKey: newUuid(), reservationId };
  if (state === 'released') await run(releaseRedemption({ ...input, reason: 'r' }, held, shop.caller));
  if (state === 'committed' || state === 'reversed') {
    await run(commitRedemption({ ...input, authorizationReference: 'a' }, held, shop.caller));
  }
  if (state === 'reversed') await run(reverseRedemption({ ...input, reason: 'r' }, held, shop.caller));
  return held.id;
}

test('redemptions as the service writes them pass', async () => {
  const { shop } = await redemptions();
  const controls = await verifyLedger(client, shop.id);
  expect(controls.filter(({ passed }) => !passed)).toEqual([]);
  const found = new Map(controls.map((control) => [control.id, control.found]));
  expect([
    ...['holds-equal-reserved', 'reservations-equal-postings', 'holds-end-once'].map((id) => found.get(id)),
    ...['redemptions-equal-postings', 'stocks-equal-reservations'].map((id) => found.get(id)),
  ]).toEqual(['10', '40', '30', '10', '2']);
});

test.each<[string, string, State | null, string]>([
  [
    'a hold that says it was released',
    'holds-equal-reserved',
    'reserved',
    `update redemption_reservations set state = 'released' where id = $1`,
  ],
  [
    'a hold of more than was posted',
    'reservations-equal-postings',
    'reserved',
    'update redemption_reservations set points = 11 where id = $1',
  ],
  [
    'a commit that says it is held',
    'holds-equal-reserved',
    'committed',
    `update redemption_reservations set state = 'reserved', commit_transaction_id = null where id = $1`,
  ],
  [
    'a release whose postings are gone',
    'holds-end-once',
    'released',
    `delete from postings p using redemption_reservations r
     where r.id = $1 and p.environment_id = r.environment_id and p.transaction_id = r.transaction_id`,
  ],
  [
    'a hold that was given up twice',
    'holds-end-once',
    'released',
    `with again as (
       insert into transactions (environment_id, id, program_id, member_id, event_type, source_reference, state, points,
         occurred_at, created_at, receipt)
       select t.environment_id, gen_random_uuid(), t.program_id, t.member_id, t.event_type, t.source_reference, t.state,
         t.points, t.occurred_at, t.created_at, t.receipt
       from transactions t join redemption_reservations r on r.id = $1 and r.transaction_id = t.id
       returning environment_id, id
     )
     insert into postings (environment_id, transaction_id, line, program_id, member_id, debit_account, credit_account,
       amount, lot_id, created_at)
     select p.environment_id, again.id, p.line, p.program_id, p.member_id, p.debit_account, p.credit_account, p.amount,
       p.lot_id, p.created_at
     from postings p join redemption_reservations r on r.id = $1 and r.transaction_id = p.transaction_id, again`,
  ],
  [
    'a reversal that says it is a commit still',
    'redemptions-equal-postings',
    'reversed',
    `update redemption_reservations set state = 'committed' where id = $1`,
  ],
  [
    'a commit that says it is reversed',
    'redemptions-equal-postings',
    'committed',
    `update redemption_reservations set state = 'reversed' where id = $1`,
  ],
  [
    'a reserved quote that says it is open',
    'reserved-quotes-equal-reservations',
    'committed',
    `update redemption_quotes q set state = 'quoted' from redemption_reservations r
     where r.id = $1 and q.environment_id = r.environment_id and q.id = r.quote_id`,
  ],
  [
    'one more taken than there are',
    'stocks-equal-reservations',
    null,
    'update reward_stocks set taken = taken + 1 where environment_id = $1',
  ],
  [
    'a stock that is gone',
    'stocks-equal-reservations',
    null,
    'delete from reward_stocks where environment_id = $1',
  ],
])('%s: %s', async (_name, control, state, corruption) => {
  const { shop, ids } = await redemptions();
  await client.query(corruption, [state === null ? shop.id : ids[state]]);
  const controls = await verifyLedger(client, shop.id);
  expect(controls.filter(({ passed }) => !passed).map(({ id }) => id)).toContain(control);
});

test('a redemption that was reversed in part passes', async () => {
  const { shop } = await partlyReversed();
  const controls = await verifyLedger(client, shop.id);
  expect(controls.filter(({ passed }) => !passed)).toEqual([]);
  const found = new Map(controls.map((control) => [control.id, control.found]));
  expect([
    ...['redemptions-equal-postings', 'reversals-restore-lots', 'reversed-parts-add-up'].map((id) =>
      found.get(id),
    ),
    found.get('discounts-equal-points'),
  ]).toEqual(['90', '60', '60', '300']);
});

test.each<[string, string, string]>([
  [
    'a point that came back without a posting',
    'reversals-restore-lots',
    'update redemption_reservations set reversed_points = reversed_points + 1 where id = $1',
  ],
  [
    'points that came back to another lot',
    'reversals-restore-lots',
    `update postings p set lot_id = l.id from transactions t, redemption_reservations r, lots l
     where r.id = $1 and t.environment_id = r.environment_id and t.reversal_of = r.commit_transaction_id
       and p.environment_id = t.environment_id and p.transaction_id = t.id and l.environment_id = p.environment_id
       and l.id <> p.lot_id`,
  ],
  [
    'a part that gave back too little',
    'reversed-parts-add-up',
    'update redemption_reservations set reversed_minor = reversed_minor + 1 where id = $1',
  ],
  [
    'a part that says it was the last',
    'reversed-parts-add-up',
    `update redemption_reservations set state = 'reversed' where id = $1`,
  ],
  [
    'a part that the commit says it was reversed by',
    'reversals-are-mutual',
    `update transactions t set state = 'reversed', reversed_by = r.transaction_id from redemption_reservations r
     where r.id = $1 and t.environment_id = r.environment_id and t.id = r.commit_transaction_id`,
  ],
  [
    'a discount that costs too little',
    'discounts-equal-points',
    `update redemption_reservations set terms = jsonb_set(terms::jsonb, '{discount,amountMinor}', '76')::json
     where id = $1`,
  ],
  [
    'a quote of a discount that costs too much',
    'discounts-equal-points',
    `update redemption_quotes q set terms = jsonb_set(q.terms::jsonb, '{discount,pointsPerUnit}', '1')::json
     from redemption_reservations r where r.id = $1 and q.environment_id = r.environment_id and q.id = r.quote_id`,
  ],
])('%s: %s', async (_name, control, corruption) => {
  const { shop, id } = await partlyReversed();
  await client.query(corruption, [id]);
  const controls = await verifyLedger(client, shop.id);
  expect(controls.filter(({ passed }) => !passed).map((each) => each.id)).toContain(control);
});
