import { expect, test } from '@jest/globals';
import {
  countDueProfiles,
  dueAdjustments,
  dueProfiles,
  environmentsWithDue,
  expireChoices,
  expireQuotes,
  oldestDueSeconds,
} from '../../src/jobs/due.ts';
import {
  countProfilesToRequalify,
  environmentsWithDueTiers,
  pageOfProfilesToRequalify,
} from '../../src/jobs/due-tiers.ts';
import { useCounter } from '../support/ledger/use-counter.ts';
import { usePool } from '../support/use-database.ts';

const counter = useCounter();
const pool = usePool(() => ({ url: counter.database.serverUrl, size: 2 }));

const at = new Date('2046-03-04T12:00:00.000Z');
const before = new Date(at.getTime() - 1);
/** The environments that `find` gives while the clock of one stands at an instant. */
async function foundAt(id: string, instant: Date, find: typeof environmentsWithDue): Promise<string[]> {
  const stand = `update environments set kind = 'sandbox', clock_stands_at = $2 where id = $1`;
  await counter.database.adminPool.query(stand, [id, instant]);
  const found = await find(pool);
  for (const environment of found) if (environment.id === id) expect(environment.now).toEqual(instant);
  return found.map((environment) => environment.id);
}

const profile = 'select environment_id, gen_random_uuid(), program_id, member_id';

test.each<[what: string, planted: string, due: (environmentId: string, instant: Date) => Promise<number>]>([
  [
    'a profile',
    'update program_profiles set next_due_at = $2 where environment_id = $1',
    async (id, instant) => {
      const found = await dueProfiles(pool, id, instant, null, 10);
      expect(await countDueProfiles(pool, id, instant)).toBe(found.length);
      return found.length;
    },
  ],
  [
    'a request for an adjustment',
    `insert into adjustments (environment_id, id, program_id, member_id, direction, points, reason, evidence, state,
       requested_by, requested_at, expires_at)
     ${profile}, 'credit', 5, 'goodwill', '{}', 'requested', 'clerk', $2, $2
     from program_profiles where environment_id = $1`,
    async (id, instant) => (await dueAdjustments(pool, id, instant, 10)).length,
  ],
  [
    'a quote',
    `insert into redemption_quotes ${profile}, 'mug', 'cart', 'quoted', 5, '{}', $2, $2
     from program_profiles where environment_id = $1`,
    (id, instant) => expireQuotes(pool, id, instant, 10),
  ],
  [
    'a grant of choices',
    `insert into choice_grants ${profile}, 'perks', 'tier:gold', 1, 1, 'open', $2, $2
     from program_profiles where environment_id = $1`,
    (id, instant) => expireChoices(pool, id, instant, 10),
  ],
])('%s is due at its instant itself, and not a millisecond before', async (_what, planted, due) => {
  const shop = await counter.environment();
  await shop.addMembers(counter.writer(), ['ann']);
  await counter.database.adminPool.query(planted, [shop.id, at]);
  expect(await foundAt(shop.id, before, environmentsWithDue)).not.toContain(shop.id);
  expect(await due(shop.id, before)).toBe(0);
  expect(await foundAt(shop.id, at, environmentsWithDue)).toContain(shop.id);
  expect(await due(shop.id, at)).toBe(1);
});

test('a re-qualification is due at its instant itself, and not a millisecond before', async () => {
  const shop = await counter.environment();
  await shop.addMembers(counter.writer(), ['ann']);
  const planted = 'update program_profiles set requalify_at = $2 where environment_id = $1';
  await counter.database.adminPool.query(planted, [shop.id, at]);
  for (const [dueBy, count] of [
    [before, 0],
    [at, 1],
  ] as const) {
    expect((await foundAt(shop.id, dueBy, environmentsWithDueTiers)).includes(shop.id)).toBe(count > 0);
    expect(await countProfilesToRequalify(pool, shop.id, { dueBy })).toBe(count);
    expect(await pageOfProfilesToRequalify(pool, shop.id, { dueBy }, null, 10)).toHaveLength(count);
  }
});

test('an expiry goes by the time of the environment too, however far ahead a sweep has read it', async () => {
  const shop = await counter.environment();
  await shop.addMembers(counter.writer(), ['ann']);
  const adminPool = counter.database.adminPool;
  const quote = `insert into redemption_quotes
      (environment_id, id, program_id, member_id, reward_id, source_reference, state, points, terms, expires_at, created_at)
    select environment_id, gen_random_uuid(), program_id, member_id, 'r', 's', 'quoted', 1, '{}', $2, now()
    from program_profiles where environment_id = $1`;
  await adminPool.query(quote, [shop.id, new Date(Date.now() + 3_600_000)]);
  // A clock that was moved back after the sweep had read it.
  expect(await expireQuotes(pool, shop.id, new Date(Date.now() + 86_400_000), 10)).toBe(0);
  await adminPool.query('update redemption_quotes set expires_at = now() where environment_id = $1', [
    shop.id,
  ]);
  // The sweep's own time counts as well.
  expect(await expireQuotes(pool, shop.id, new Date(Date.now() - 86_400_000), 10)).toBe(0);
  expect(await expireQuotes(pool, shop.id, new Date(Date.now() + 86_400_000), 10)).toBe(1);
});

test('how long something has been due is that of environments whose clock was not moved', async () => {
  const [real, moved] = [await counter.environment(), await counter.environment()];
  for (const shop of [real, moved]) await shop.addMembers(counter.writer(), ['ann']);
  const adminPool = counter.database.adminPool;
  await adminPool.query('update program_profiles set next_due_at = null where next_due_at is not null');
  const dueSince = (id: string, interval: string) =>
    adminPool.query(
      `update program_profiles set next_due_at = now() - $2::interval where environment_id = $1`,
      [id, interval],
    );
  await dueSince(moved.id, '1 year');
  for (const clock of [
    'clock_ahead_ms = 1000',
    "clock_ahead_ms = 0, clock_stands_at = now() + interval '1 day'",
  ]) {
    await adminPool.query(`update environments set kind = 'sandbox', ${clock} where id = $1`, [moved.id]);
    expect(await oldestDueSeconds(pool)).toBe(0);
  }
  await dueSince(real.id, '1 hour');
  const seconds = await oldestDueSeconds(pool);
  expect(seconds).toBeGreaterThanOrEqual(3_600);
  expect(seconds).toBeLessThan(7_200);
});
