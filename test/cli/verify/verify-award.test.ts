import { beforeEach, describe, expect, test } from '@jest/globals';
import { fromTypeId, newUuid, toTypeId } from '../../../src/ids.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { runCli, runJson } from '../../support/cli/run-cli.ts';
import type { Shop } from '../../support/ledger/counter.ts';
import { storeReceiptsWhole } from '../../support/ledger/store-receipts-whole.ts';
import { useCounter, useWriter } from '../../support/ledger/use-counter.ts';
import { program, rule, tier } from '../../support/rules/fixtures.ts';

interface Verdict {
  equal: boolean;
  circumstances: string[];
  steps: string[];
  differences: { what: string; computed: unknown; stored: unknown }[];
}

let shop: Shop;

const counter = useCounter({ twins: true });
const writer = useWriter(counter);
beforeEach(async () => {
  shop = await counter.environment(
    program({
      earn: {
        rules: [
          rule('online', [{ field: 'purchase.channel', operator: 'equals', value: 'app' }], {
            rateNumerator: 3,
            rateDenominator: 2,
          }),
          rule('beans', [{ field: 'items.category', operator: 'equals', value: 'beans' }], {
            rateNumerator: 2,
            rounding: 'nearest_half_up',
          }),
          rule('base'),
        ],
      },
      tiers: [tier('bronze', 0, 1), tier('silver', 50, 5, 4)],
      memberLimit: { points: 100, period: 'lifetime', onExceed: 'trim' },
    }),
  );
  await shop.addMembers(writer, ['ann']);
});

async function buy(purchase: Parameters<Shop['earn']>[1] = {}): Promise<string> {
  const outcome = await writer.submit(shop.earn('ann', purchase));
  if (isRefusal(outcome)) throw new Error(outcome.code);
  return (outcome.receipt as { id: string }).id;
}

const verify = (id: string, ...more: string[]) =>
  runCli(counter.database.adminUrl, ['verify', 'award', id, ...more]);
const verdictOf = async (id: string): Promise<Verdict & { exitCode: number | null }> => {
  const { stdout, exitCode } = await verify(id, '--json');
  return { ...(JSON.parse(stdout) as Verdict), exitCode };
};

describe('an unchanged award', () => {
  test('is explained, point by point', async () => {
    const items = [{ category: 'beans', quantity: 1, unitPriceMinor: 2675 }];
    const first = await buy({ amountMinor: 2675, items, sourceReference: 'order-7' });
    const { steps, circumstances, equal } = await runJson<Verdict>(counter.database.adminUrl, [
      'verify',
      'award',
      first,
    ]);
    expect(equal).toBe(true);
    expect(circumstances[0]).toMatch(
      /^Order order-7 of ann at .*: 2675 minor units of USD, channel web, 1 line\.$/,
    );
    expect(circumstances[2]).toMatch(/tier bronze with 0 qualification points; 0 points counted/);
    expect(steps).toEqual([
      'Rule online gives nothing. Does not hold: purchase.channel equals "app".',
      'Rule beans applies: 2675 × 2 ÷ (1 × 10^2) = 53.5, rounded (nearest_half_up) to 54 points.',
      'Rule base gives nothing. Rule "beans" comes first.',
      'Tier bronze: 54 × 1/1 = 54, rounded (nearest_half_up) to 54 points.',
      'Member limit of 100 points in all, 0 of them used: all of the points fit in what is left.',
      '54 points in all: 54 base and 0 of campaigns.',
    ]);
    // The next purchase is made in a higher tier, and exceeds the limit.
    const second = await buy({ amountMinor: 5000, couponCode: 'SPRING' });
    expect(
      (await runJson<Verdict>(counter.database.adminUrl, ['verify', 'award', second])).steps.slice(2),
    ).toEqual([
      'Rule base applies: 5000 × 1 ÷ (1 × 10^2) = 50, rounded (floor) to 50 points.',
      'Tier silver: 50 × 5/4 = 62.5, rounded (nearest_half_up) to 63 points.',
      'Coupon SPRING gives nothing. Unknown coupon.',
      'Member limit of 100 points in all, 54 of them used: 17 points are cut off.',
      '46 points in all: 46 base and 0 of campaigns.',
    ]);
  });

  test('is the same when rules, tiers and the order have changed since', async () => {
    const id = await buy({ amountMinor: 1234, channel: 'app' });
    await shop.publish(program({ tiers: [tier('wood', 0, 7)], earn: { rules: [rule('tenfold')] } }));
    const { stdout, exitCode } = await verify(id);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      'Rule online applies: 1234 × 3 ÷ (2 × 10^2) = 18.51, rounded (floor) to 18 points.',
    );
    expect(stdout).toContain('The same as what was posted: 18 points.');
  });

  test('may be pinned to the time of the event', async () => {
    const svcEvaluation = {
      mode: 'event_time_pinned_configuration',
      configurationVersion: 1,
      memberTier: 'silver',
    };
    const occurredAt = new Date(Date.now() - 86_400_000).toISOString();
    const id = await buy({ amountMinor: 1250, occurredAt, context: { attributes: { svcEvaluation } } });
    const { stdout, exitCode } = await verify(id);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('(as the event asked: the version and tier of that time)');
    expect(stdout).toContain('Tier silver: 12 × 5/4 = 15, rounded (nearest_half_up) to 15 points.');
  });

  test('may have no points', async () => {
    expect(await verdictOf(await buy({ amountMinor: 0 }))).toMatchObject({ equal: true, exitCode: 0 });
  });
});

describe('a tampered award', () => {
  const change = async (id: string, sql: string) => {
    await storeReceiptsWhole(counter.database.adminPool, shop.id);
    await counter.database.adminPool.query(sql, [shop.id, fromTypeId('txn', id)]);
  };
  const receipt = (path: string, value: string) =>
    `update transactions set receipt = jsonb_set(receipt::jsonb, '${path}', '${value}')::json
      where environment_id = $1 and id = $2`;

  test.each<[string, string, string[]]>([
    ['its award', receipt('{award,points}', '13'), ['award.points']],
    [
      'its amount',
      receipt('{evidence,amountMinor}', '999900'),
      [
        'award.points',
        'award.basePoints',
        'ruleDecisions',
        'transaction',
        'postings',
        'lots',
        'order',
        'order.amountMinor',
      ],
    ],
    ['a rule decision', receipt('{ruleDecisions,2,points}', '1'), ['ruleDecisions']],
    [
      'the tier',
      receipt('{evidence,profile,tier}', '"silver"'),
      ['award.points', 'award.basePoints', 'ruleDecisions', 'transaction', 'postings', 'lots', 'order'],
    ],
    ['its version', receipt('{configurationVersion}', '9'), ['configurationVersion']],
    ['its currency', receipt('{evidence,currency}', '"EUR"'), ['award']],
    [
      'its evidence',
      `update transactions set receipt = '{}' where environment_id = $1 and id = $2`,
      ['evidence'],
    ],
    [
      'its points',
      'update transactions set points = 11 where environment_id = $1 and id = $2',
      ['transaction'],
    ],
    [
      'its posting',
      'update postings set amount = 13 where environment_id = $1 and transaction_id = $2',
      ['postings'],
    ],
    ['its lot', 'update lots set granted = 40 where environment_id = $1 and transaction_id = $2', ['lots']],
    [
      'its order',
      'update orders set points = 13 where environment_id = $1 and transaction_id = $2',
      ['order'],
    ],
  ])('%s', async (_name, sql, differences) => {
    const id = await buy({ amountMinor: 1250 });
    await change(id, sql);
    const verdict = await verdictOf(id);
    expect(verdict.differences.map(({ what }) => what)).toEqual(differences);
    expect(verdict).toMatchObject({ equal: false, exitCode: 1 });
    const { stdout, exitCode } = await verify(id);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('DIFFERENT from what is stored:');
  });
});

describe('without an award', () => {
  test('an unknown transaction, and one of another environment', async () => {
    const unknown = toTypeId('txn', newUuid());
    expect(await verify(unknown)).toMatchObject({ exitCode: 1, stdout: '' });
    expect((await verify(unknown)).stderr).toContain(`There is no transaction ${unknown}.`);
    const id = await buy();
    const other = toTypeId('env', (await counter.environment()).id);
    const elsewhere = await verify(id, '-e', other);
    expect(elsewhere).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`no transaction ${id} in ${other}.`),
    });
    expect((await verify(id, '-e', toTypeId('env', shop.id))).exitCode).toBe(0);
  });

  test('a transaction that is not a purchase', async () => {
    const id = await buy();
    await counter.database.adminPool.query(
      `update transactions set event_type = 'order.returned' where id = $1`,
      [fromTypeId('txn', id)],
    );
    const { exitCode, stderr } = await verify(id);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringContaining('is no purchase (order.returned): it has no award.'),
    });
  });

  test('an invalid id of a transaction is a usage error', async () => {
    expect((await verify('order-7')).exitCode).toBe(2);
  });
});
