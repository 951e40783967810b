import { beforeAll, describe, expect, test } from '@jest/globals';
import type pg from 'pg';
import { approveAdjustment } from '../../../src/commands/adjustments/approve-adjustment.ts';
import { requestAdjustment } from '../../../src/commands/adjustments/request-adjustment.ts';
import type { Caller } from '../../../src/commands/shared/caller.ts';
import { createPool } from '../../../src/db/pool.ts';
import { fromTypeId, newUuid, toTypeId } from '../../../src/ids.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { receiptOf } from '../../support/commands/desk.ts';
import { atEnd } from '../../support/fixture.ts';
import type { Shop } from '../../support/ledger/counter.ts';
import { requestedMerge, requestedUnmerge } from '../../support/ledger/merges.ts';
import { useCounter, useWriter } from '../../support/ledger/use-counter.ts';
import { program } from '../../support/rules/fixtures.ts';

// What somebody can write who has stolen the login of the server: every statement here runs with its privileges, and
// leaves balances, lots, postings and transactions that add up.

const DAYS = 86_400_000;

let stolen: pg.Pool;

const counter = useCounter();
const writer = useWriter(counter);

beforeAll(() => {
  stolen = createPool({ url: counter.database.serverUrl, role: 'rewards_app', size: 1 });
});

atEnd(() => stolen.end());

const failed = (shop: Shop) => counter.failedControlsOf(shop.id);

/** A shop in which ann has bought something. */
async function shopOf(overrides: Partial<ProgramDocument> = {}): Promise<Shop> {
  const shop = await counter.environment(program(overrides));
  await shop.addMembers(writer, ['ann', 'bob']);
  receiptOf(await writer.submit(shop.earn('ann')));
  return shop;
}

/** Makes points out of nothing for ann: every sum is right. */
async function forge(
  shop: Shop,
  eventType: string,
  debitAccount: string,
  expires: string,
  receipt: object = {},
): Promise<void> {
  const [transactionId, lotId] = [newUuid(), newUuid()];
  const ann = `(select id from members where environment_id = $1 and external_customer_id = 'ann')`;
  const send = (sql: string, ...values: unknown[]) => stolen.query(sql, [shop.id, ...values]);
  await send(
    `insert into transactions (environment_id, id, program_id, member_id, event_type, source_reference, state, points,
       occurred_at, created_at, receipt)
     values ($1, $2, 'coffee-club', ${ann}, $3, 'forged', 'committed', 700, now(), now(), $4)`,
    transactionId,
    eventType,
    receipt,
  );
  await send(
    `insert into lots (environment_id, member_id, program_id, id, transaction_id, granted, pending, available, reserved,
       expires_at, created_at)
     values ($1, ${ann}, 'coffee-club', $2, $3, 700, 0, 700, 0, ${expires}, now())`,
    lotId,
    transactionId,
  );
  await send(
    `insert into postings (environment_id, transaction_id, line, program_id, member_id, debit_account, credit_account, amount,
       lot_id, created_at)
     values ($1, $2, 1, 'coffee-club', ${ann}, $4, 'member.available', 700, $3, now())`,
    transactionId,
    lotId,
    debitAccount,
  );
  await send(
    `update program_profiles set available = available + 700 where environment_id = $1 and member_id = ${ann}`,
  );
}

describe('points out of nothing', () => {
  test.each([
    [
      'exchange.settled',
      ['postings-fit-transactions', 'settlements-equal-transactions', 'credits-equal-audit'],
    ],
    ['redemption.released', ['postings-fit-transactions', 'redemptions-equal-reservations']],
    ['points.activated', ['postings-fit-transactions']],
  ])('in the name of %s', async (eventType, expected) => {
    const shop = await shopOf();
    await forge(shop, eventType, 'program.issuance', 'null');
    expect(await failed(shop)).toEqual(expected);
  });

  test('as an exchange that has its settlement, and no audit event', async () => {
    const shop = await shopOf();
    await forge(shop, 'exchange.settled', 'program.clearing', 'null');
    await stolen.query(
      `insert into exchange_settlements (environment_id, settlement_reference, program_id, member_id, partner_id, direction,
         points, transaction_id, created_at)
       select environment_id, source_reference, program_id, member_id, 'nobody', 'in', points, id, created_at
       from transactions where environment_id = $1 and event_type = 'exchange.settled'`,
      [shop.id],
    );
    expect(await failed(shop)).toEqual(['credits-equal-audit']);
  });

  test('as an opening balance that never lapses, with the key of another command and no audit event', async () => {
    const shop = await shopOf({ expiration: { policy: 'end_of_period', period: 'month' } });
    const receipt = { balance: { points: 700, expiresAt: null } };
    await forge(shop, 'adjustment.posted', 'program.issuance', 'null', receipt);
    await stolen.query(
      `insert into idempotency_keys (environment_id, operation, key, fingerprint, transaction_id, created_at)
       select environment_id, 'openBalance', 'forged', decode(repeat('00', 32), 'hex'), id, created_at
       from transactions where environment_id = $1 and event_type = 'adjustment.posted'`,
      [shop.id],
    );
    expect(await failed(shop)).toEqual(['credits-equal-audit']);
  });

  test('as an exchange of another amount than its audit event says', async () => {
    const shop = await shopOf();
    await forge(shop, 'exchange.settled', 'program.clearing', 'null');
    await stolen.query(
      `insert into exchange_settlements (environment_id, settlement_reference, program_id, member_id, partner_id, direction,
         points, transaction_id, created_at)
       select environment_id, source_reference, program_id, member_id, 'nobody', 'in', points, id, created_at
       from transactions where environment_id = $1 and event_type = 'exchange.settled'`,
      [shop.id],
    );
    const forged = await counter.value<string>(
      `select id from transactions where environment_id = $1 and event_type = 'exchange.settled'`,
      [shop.id],
    );
    const eventId = newUuid();
    await stolen.query(
      `insert into audit_events (environment_id, id, action, target_type, target_id, actor_type, actor_id, request_id, changes, at)
       select environment_id, $2, 'exchange.settled', 'transaction', $3, 'operator', 'mallory', 'req_x', '{"points":7}', created_at
       from transactions where environment_id = $1 and event_type = 'exchange.settled'`,
      [shop.id, eventId, toTypeId('txn', forged)],
    );
    expect(await failed(shop)).toEqual(['credits-equal-audit']);
    await counter.database.adminPool.query(
      `update audit_events set changes = '{"points":700}' where environment_id = $1 and id = $2`,
      [shop.id, eventId],
    );
    expect(await failed(shop)).toEqual([]);
  });

  test('that were pending, and are made available before their time', async () => {
    const shop = await shopOf({ pending: { days: 30 } });
    await stolen.query(
      `with activated as (
         insert into transactions (environment_id, id, program_id, member_id, event_type, state, points, occurred_at, created_at, receipt)
         select environment_id, $2, program_id, member_id, 'points.activated', 'committed', pending, now(), now(), '{}'
         from lots where environment_id = $1 and pending > 0
         returning id
       ), posted as (
         insert into postings (environment_id, transaction_id, line, program_id, member_id, debit_account, credit_account,
           amount, lot_id, created_at)
         select environment_id, $2, 1, program_id, member_id, 'member.pending', 'member.available', pending, id, now()
         from lots where environment_id = $1 and pending > 0
       ), profiled as (
         update program_profiles set available = available + pending, pending = 0
         where environment_id = $1 and pending > 0
       )
       update lots set available = pending, pending = 0 where environment_id = $1 and pending > 0`,
      [shop.id, newUuid()],
    );
    expect(await failed(shop)).toEqual(['postings-fit-transactions']);
  });

  test('which never lapse where all others do', async () => {
    const shop = await shopOf({ expiration: { policy: 'rolling_days', days: 90 } });
    await forge(shop, 'points.activated', 'program.issuance', 'null');
    expect(await failed(shop)).toContain('expiries-fit-programs');
  });
});

describe('the names on an adjustment', () => {
  async function adjusted(): Promise<Shop> {
    const shop = await shopOf();
    const by = (id: string): Caller => ({ ...shop.caller, actor: { type: 'api_key', id } });
    const about = { programId: 'coffee-club', externalCustomerId: 'ann', points: 5 };
    const said = { ...about, direction: 'credit' as const, reason: 'test', evidence: { n: 1 } };
    const asked = requestAdjustment({ idempotencyKey: newUuid(), ...said }, by('clerk'));
    const { adjustment } = receiptOf(await writer.submit(asked)) as { adjustment: { id: string } };
    const owned = { id: fromTypeId('adj', adjustment.id) ?? '', ...about };
    const input = { idempotencyKey: newUuid(), adjustmentId: adjustment.id, reason: 'test' };
    receiptOf(await writer.submit(approveAdjustment(input, owned, by('boss'))));
    return shop;
  }

  test('are those of the audit trail', async () => {
    expect(await failed(await adjusted())).toEqual([]);
  });

  test('are found where they were changed', async () => {
    const shop = await adjusted();
    await stolen.query(`update adjustments set decided_by = 'mallory' where environment_id = $1`, [shop.id]);
    expect(await failed(shop)).toEqual(['approvals-equal-audit']);
  });

  test('are found where the trail was told the new ones too', async () => {
    const shop = await adjusted();
    await stolen.query(`update adjustments set decided_by = 'mallory' where environment_id = $1`, [shop.id]);
    await stolen.query(
      `insert into audit_events select environment_id, $2, action, target_type, target_id, actor_type, 'mallory', request_id,
         changes, now()
       from audit_events where environment_id = $1 and action = 'adjustment.posted'`,
      [shop.id, newUuid()],
    );
    expect(await failed(shop)).toEqual(['approvals-equal-audit']);
  });
});

describe('the names on a merge', () => {
  test.each([
    ['who approved it', 'decided_by'],
    ['who asked to undo it', 'unmerge_requested_by'],
    ['who approved that', 'unmerged_by'],
  ])('are those of the audit trail: %s', async (_who, column) => {
    const shop = await shopOf();
    receiptOf(await writer.submit(await requestedMerge(writer, shop, 'ann', 'bob')));
    receiptOf(await writer.submit(await requestedUnmerge(writer, shop, 'ann', 'bob')));
    expect(await failed(shop)).toEqual([]);
    await stolen.query(`update member_merges set ${column} = 'mallory' where environment_id = $1`, [shop.id]);
    expect(await failed(shop)).toEqual(['approvals-equal-audit']);
  });
});

describe('an expiry', () => {
  const day = (number: number) => new Date(Date.now() + number * DAYS);

  test.each<[string, ProgramDocument['expiration']]>([
    ['after days', { policy: 'rolling_days', days: 90 }],
    ['at the end of the month', { policy: 'end_of_period', period: 'month' }],
    [
      'at the end of the quarter, and ten days',
      { policy: 'end_of_period', period: 'quarter', offsetDays: 10 },
    ],
    ['at the end of the year', { policy: 'end_of_period', period: 'year', offsetDays: 40 }],
    ['after days without activity', { policy: 'inactivity', days: 30 }],
  ])('%s: as the service sets it, and never or later than that', async (_what, expiration) => {
    if (!expiration) throw new Error('each has one');
    const shop = await shopOf({ expiration, pending: { days: 3 } });
    receiptOf(await writer.submit(shop.earn('bob')));
    expect(await failed(shop)).toEqual([]);
    for (const to of [null, day(3_000)]) {
      await stolen.query('update lots set expires_at = $2 where environment_id = $1', [shop.id, to]);
      expect([to, await failed(shop)]).toEqual([to, ['expiries-fit-programs']]);
    }
  });

  test.each<[string, ProgramDocument['expiration']]>([
    ['after days', { policy: 'rolling_days', days: 90 }],
    ['after days without activity', { policy: 'inactivity', days: 90 }],
  ])('%s, that was put off is found, also where a change was noted for it', async (_what, expiration) => {
    if (!expiration) throw new Error('each has one');
    const shop = await shopOf({ expiration });
    await stolen.query(
      `insert into lot_expiry_changes (environment_id, program_id, member_id, lot_id, changed_at, expires_at)
       select environment_id, program_id, member_id, id, now(), expires_at from lots where environment_id = $1`,
      [shop.id],
    );
    for (const to of [day(29), day(200)]) {
      await stolen.query('update lots set expires_at = $2 where environment_id = $1', [shop.id, to]);
      expect([to, await failed(shop)]).toEqual([to, ['expiries-fit-programs']]);
    }
  });

  test('that rests on a change of a later day is found', async () => {
    const shop = await shopOf({ expiration: { policy: 'rolling_days', days: 90 } });
    await stolen.query(
      `insert into lot_expiry_changes (environment_id, program_id, member_id, lot_id, changed_at, expires_at)
       select environment_id, program_id, member_id, id, '4000-01-01', expires_at from lots where environment_id = $1`,
      [shop.id],
    );
    await stolen.query(`update lots set expires_at = '4000-01-02' where environment_id = $1`, [shop.id]);
    expect(await failed(shop)).toEqual(['expiries-fit-programs']);
  });

  test('of a purchase is that of its version, where versions differ', async () => {
    const shop = await shopOf({ expiration: { policy: 'rolling_days', days: 90 } });
    await shop.publish(program({ expiration: { policy: 'never' } }), new Date());
    receiptOf(await writer.submit(shop.earn('bob')));
    expect(await failed(shop)).toEqual([]);
    await stolen.query('update lots set expires_at = null where environment_id = $1', [shop.id]);
    expect(await failed(shop)).toEqual(['expiries-fit-programs']);
  });
});

describe('a tier', () => {
  const setAnn = (shop: Shop, changes: string) =>
    stolen.query(
      `update program_profiles set ${changes}
       where environment_id = $1
         and member_id = (select id from members where environment_id = $1 and external_customer_id = 'ann')`,
      [shop.id],
    );

  test('that was not reached is found', async () => {
    const shop = await shopOf();
    await setAnn(shop, `tier = 'gold'`);
    expect(await failed(shop)).toEqual(['tiers-were-reached']);
  });

  test('that rests on points which no purchase earned is found', async () => {
    const shop = await shopOf();
    await setAnn(shop, `tier = 'gold', qualification_points = 6000`);
    expect(await failed(shop)).toEqual(['qualification-was-earned']);
  });

  test.each<[string, Partial<ProgramDocument>]>([
    ['a limit of each member', { memberLimit: { points: 10, period: 'lifetime', onExceed: 'trim' } }],
    [
      'tiers that give nothing',
      { tiers: program().tiers.map((tier) => ({ ...tier, multiplier: { numerator: 0, denominator: 1 } })) },
    ],
  ])('that rests on such points is found in a program with %s', async (_what, overrides) => {
    const shop = await shopOf(overrides);
    receiptOf(await writer.submit(shop.earn('ann', { amountMinor: 90_000 })));
    const earned = await counter.value<number>(
      'select max(qualification_points)::integer from program_profiles where environment_id = $1',
      [shop.id],
    );
    expect({ earned: earned > 100, failed: await failed(shop) }).toEqual({ earned: true, failed: [] });
    await setAnn(shop, 'qualification_points = qualification_points + 1');
    expect(await failed(shop)).toEqual(['qualification-was-earned']);
  });

  test.each(['requested', 'rejected'])(
    'is found also where a merge was %s, and did not take place',
    async (state) => {
      const shop = await shopOf();
      const approval = await requestedMerge(writer, shop, 'bob', 'ann');
      expect(approval).toBeDefined();
      await setAnn(shop, `tier = 'gold'`);
      if (state === 'rejected') {
        await stolen.query(
          `update member_merges set state = 'rejected', decided_by = 'boss', decided_at = now(), decision_reason = 'no'
         where environment_id = $1`,
          [shop.id],
        );
      }
      expect(await failed(shop)).toEqual(['tiers-were-reached']);
      await setAnn(shop, 'qualification_points = 5000000');
      expect(await failed(shop)).toEqual(['qualification-was-earned']);
    },
  );

  test('that was reached, and that is kept while the threshold rises, is none', async () => {
    const shop = await shopOf();
    for (const amountMinor of [900_000, 1_000_000]) {
      receiptOf(await writer.submit(shop.earn('ann', { amountMinor })));
    }
    expect(
      await counter.value('select tier from program_profiles where environment_id = $1 order by tier desc', [
        shop.id,
      ]),
    ).toBe('gold');
    expect(await failed(shop)).toEqual([]);
    const { tiers } = program();
    const raised = tiers.map((tier, place) => ({ ...tier, threshold: tier.threshold * (place + 1) * 10 }));
    await shop.publish(program({ tiers: raised }), new Date());
    receiptOf(await writer.submit(shop.earn('ann')));
    expect(await failed(shop)).toEqual([]);
  });
});
