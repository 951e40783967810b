import { expect, test } from '@jest/globals';
import { requalifyProfile } from '../../../src/commands/members/requalify-profile.ts';
import { toTypeId } from '../../../src/ids.ts';
import { receiptOf } from '../../support/commands/desk.ts';
import { perks } from '../../support/commands/engagement.ts';
import { useCounter, useWriter } from '../../support/ledger/use-counter.ts';
import { program, tier } from '../../support/rules/fixtures.ts';

const counter = useCounter();
const writer = useWriter(counter);

// Whether a tier has granted its choices before is known only where the grant is inserted.
test('a tier that a member reaches again grants nothing, and no event says that it did', async () => {
  const club = (silver: number) =>
    program({
      tiers: [tier('bronze', 0, 1), tier('silver', silver, 1)],
      choiceSets: [{ ...perks, grantedByTiers: ['silver'] }],
    });
  const shop = await counter.environment(club(100));
  await shop.addMembers(writer, ['ann']);
  const earn = async () => receiptOf(await writer.submit(shop.earn('ann', { amountMinor: 10_000 })));
  const requalify = async () => {
    const profile = { programId: 'coffee-club', externalCustomerId: 'ann', requestId: 'op_run' };
    const command = requalifyProfile({ environmentId: shop.id, ...profile }, { asIfEnded: true });
    receiptOf(await writer.submit(command));
  };
  await earn();
  await shop.publish(club(1_000_000));
  await requalify();
  await shop.publish(club(100));
  await Promise.all([earn(), earn()]);
  const { rows } = await counter.database.adminPool.query<{ type: string; data: Record<string, unknown> }>(
    'select type, data from events where environment_id = $1 order by written_at, id',
    [shop.id],
  );
  const of = (type: string) => rows.filter((row) => row.type === type).map(({ data }) => data);
  expect(of('points.earned')).toHaveLength(3);
  expect(of('tier.changed').map((data) => data.tier)).toEqual(['silver', 'bronze', 'silver']);
  const grantId = await counter.value<string>('select id from choice_grants where environment_id = $1', [
    shop.id,
  ]);
  expect(of('choice.granted')).toMatchObject([
    { choiceGrantId: toTypeId('cgr', grantId), choiceSetId: 'perks', grantedBy: 'tier:silver', choices: 2 },
  ]);
});
