import { beforeAll, describe, expect, test } from '@jest/globals';
import { claimChoiceBenefit } from '../../../src/commands/engagement/claim-choice-benefit.ts';
import { recordCustomEvent } from '../../../src/commands/engagement/record-custom-event.ts';
import type {
  ClaimChoiceBenefitInput,
  RecordCustomEventInput,
} from '../../../src/contract/generated/types.ts';
import { newUuid } from '../../../src/ids.ts';
import type { Writer } from '../../../src/ledger/batch/writer.ts';
import type { Command, Outcome } from '../../../src/ledger/command.ts';
import { verifyLedger } from '../../../src/ledger/controls/verify.ts';
import { challengeProgress } from '../../../src/ledger/tables/challenge-progress.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { codeOf, receiptOf } from '../../support/commands/desk.ts';
import { awardsOf, engagement, reviews } from '../../support/commands/engagement.ts';
import type { Shop } from '../../support/ledger/counter.ts';
import { useCounter } from '../../support/ledger/use-counter.ts';
import { program } from '../../support/rules/fixtures.ts';

let writer: Writer;
/** Another process on the same database. */
let other: Writer;

const counter = useCounter();

beforeAll(() => {
  [writer, other] = [counter.writer(), counter.writer()];
});

async function club(
  overrides: Partial<ProgramDocument> = {},
  ids: readonly string[] = ['ann'],
): Promise<Shop> {
  const shop = await counter.environment(program({ ...engagement, ...overrides }));
  await shop.addMembers(writer, ids);
  return shop;
}

function event(shop: Shop, input: Partial<RecordCustomEventInput> = {}): Command {
  const idempotencyKey = newUuid();
  return recordCustomEvent(
    { idempotencyKey, type: 'review', externalCustomerId: 'ann', sourceReference: idempotencyKey, ...input },
    shop.caller,
  );
}

function run(shop: Shop, km: number, externalCustomerId = 'ann'): Command {
  return event(shop, { type: 'run', attributes: { km }, externalCustomerId });
}

function choice(shop: Shop, input: Partial<ClaimChoiceBenefitInput> = {}): Command {
  const idempotencyKey = newUuid();
  return claimChoiceBenefit(
    {
      idempotencyKey,
      externalCustomerId: 'ann',
      choiceSetId: 'perks',
      rewardId: 'mug',
      sourceReference: idempotencyKey,
      ...input,
    },
    shop.caller,
  );
}

/** Submits commands at once, alternately to the two processes. */
function race(commands: readonly Command[]): Promise<Outcome[]> {
  return Promise.all(commands.map((command, index) => (index % 2 === 0 ? writer : other).submit(command)));
}

function daysAgo(days: number): Date {
  return new Date(Date.now() - days * 86_400_000);
}

function tally(outcomes: readonly Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[codeOf(outcome)] = (counts[codeOf(outcome)] ?? 0) + 1;
  return counts;
}

function times<R>(count: number, make: (index: number) => R): R[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

describe('what is loaded', () => {
  test('progress counts on from event to event, window by window, and from process to process', async () => {
    const monthly = { ...reviews, window: { period: 'month' as const } };
    const shop = await club({ challenges: [monthly] });
    const lastMonth = new Date(Date.now() - 31 * 86_400_000).toISOString();
    for (const [index, occurredAt] of [null, lastMonth, null, lastMonth, null].entries()) {
      const outcome = await (index % 2 === 0 ? writer : other).submit(event(shop, { occurredAt }));
      expect(awardsOf(outcome)).toHaveLength(index === 4 ? 1 : 0);
    }
    expect(
      await counter.value(
        `select json_agg(json_build_array(reached, completions) order by window_start) from challenge_progress
         where environment_id = $1`,
        [shop.id],
      ),
    ).toEqual([
      [2, 0],
      [3, 1],
    ]);
  });

  test('a late event counts on in its window, also where that began 399 and 365 days ago', async () => {
    const shop = await club({ challenges: [{ ...reviews, window: { days: 366 } }] });
    const late = daysAgo(399).toISOString();
    await writer.submit(event(shop, { occurredAt: late }));
    await counter.database.adminPool.query(
      'update challenge_progress set window_start = $2 where environment_id = $1',
      [shop.id, daysAgo(764)],
    );
    expect(awardsOf(await writer.submit(event(shop, { occurredAt: late })))).toHaveLength(0);
    expect(awardsOf(await other.submit(event(shop, { occurredAt: late })))).toHaveLength(1);
    expect(
      await counter.value(
        `select json_agg(json_build_array(reached, completions)) from challenge_progress
         where environment_id = $1`,
        [shop.id],
      ),
    ).toEqual([[3, 1]]);
  });

  test('windows that began in the last 800 days are read, no older ones, and the lifetime always', async () => {
    const shop = await club();
    const minute = 60_000;
    const began = [new Date(0), new Date(daysAgo(800).getTime() + minute), daysAgo(1)];
    for (const windowStart of [...began, new Date(daysAgo(800).getTime() - minute)]) {
      await counter.database.adminPool.query(
        `insert into challenge_progress (environment_id, program_id, member_id, challenge_id, window_start, reached,
           completions)
         select environment_id, program_id, member_id, 'critic', $2, 1, 0 from program_profiles
         where environment_id = $1`,
        [shop.id, windowStart],
      );
    }
    const wanted = [{ kind: 'challengeProgress', externalCustomerId: 'ann' }] as const;
    const statement = challengeProgress.lookUp('load_challenge_progress').statement(shop.id, wanted);
    const { rows } = await counter.database.adminPool.query<{ windowStart: Date }>(statement);
    expect(rows.map(({ windowStart }) => windowStart.getTime()).sort((a, b) => a - b)).toEqual(
      began.map((instant) => instant.getTime()),
    );
  });

  test('an event is kept as it came', async () => {
    const shop = await club();
    const outcome = await writer.submit(
      event(shop, {
        sourceReference: 'r-1',
        attributes: { stars: 5, 'ü"': [null] },
        occurredAt: '2026-01-02T03:04:05Z',
      }),
    );
    const { rows } = await counter.database.adminPool.query(
      'select type, source_reference, attributes, occurred_at, receipt from custom_events where environment_id = $1',
      [shop.id],
    );
    expect(rows).toEqual([
      {
        type: 'review',
        source_reference: 'r-1',
        attributes: { stars: 5, 'ü"': [null] },
        occurred_at: new Date('2026-01-02T03:04:05Z'),
        receipt: receiptOf(outcome),
      },
    ]);
    const repeated = await other.submit(event(shop, { sourceReference: 'r-1' }));
    expect({ code: codeOf(repeated), receipt: receiptOf(repeated) }).toEqual({
      code: 'replayed',
      receipt: receiptOf(outcome),
    });
  });

  test('what is due in any program of the member is settled before an award', async () => {
    const shop = await club({
      challenges: [{ ...reviews, goal: { count: 1 } }],
      expiration: { policy: 'inactivity', days: 10 },
    });
    await writer.submit(event(shop));
    for (const column of ['next_due_at', 'last_activity_at']) {
      await counter.database.adminPool.query(
        `update program_profiles set ${column} = ${column} - interval '10 days' where environment_id = $1`,
        [shop.id],
      );
    }
    await counter.database.adminPool.query(
      `update lots set expires_at = expires_at - interval '10 days' where environment_id = $1`,
      [shop.id],
    );
    await writer.submit(event(shop));
    const sql = 'select available from program_profiles where environment_id = $1';
    expect(await counter.value(sql, [shop.id])).toBe(50);
  });

  test('grants and claims are found again, those that are open alone', async () => {
    const shop = await club();
    await writer.submit(run(shop, 20));
    const outcomes: string[] = [];
    for (const [index, rewardId] of ['tour', 'tour', 'tour', 'mug', 'mug', 'mug'].entries()) {
      outcomes.push(codeOf(await (index % 2 === 0 ? writer : other).submit(choice(shop, { rewardId }))));
    }
    expect(outcomes).toEqual(['done', 'done', 'no_choice_left', 'done', 'done', 'no_choice_left']);
  });

  test('a tier that is come to again grants nothing, and takes nothing from the purchase', async () => {
    const shop = await club();
    await writer.submit(shop.earn('ann', { amountMinor: 100_000 }));
    // Both are in one batch: the claim after the purchase finds the earlier grant and no new one.
    const again = async (): Promise<string[]> => {
      await counter.database.adminPool.query(
        `update program_profiles set tier = 'bronze', qualification_points = 0 where environment_id = $1`,
        [shop.id],
      );
      const commands = [shop.earn('ann', { amountMinor: 100_000 }), choice(shop)];
      return (await Promise.all(commands.map((command) => writer.submit(command)))).map(codeOf);
    };
    expect({ first: await again(), second: await again(), third: await again() }).toEqual({
      first: ['done', 'done'],
      second: ['done', 'done'],
      third: ['done', 'no_choice_left'],
    });
    const sql = `select json_agg(json_build_array(granted_by, remaining, state)) from choice_grants
      where environment_id = $1`;
    expect(await counter.value(sql, [shop.id])).toEqual([['tier:silver', 0, 'exhausted']]);
  });

  test('leaving the program expires what is left', async () => {
    const shop = await club();
    await writer.submit(run(shop, 10));
    await writer.submit(choice(shop));
    expect(codeOf(await writer.submit(shop.unenroll('ann')))).toBe('done');
    const sql = 'select state from choice_grants where environment_id = $1';
    expect(await counter.value(sql, [shop.id])).toBe('expired');
  });
});

describe('races of two processes', () => {
  test('one event sent fifty times is recorded once', async () => {
    const shop = await club({ challenges: [{ ...reviews, goal: { count: 1 } }] });
    const outcomes = await race(times(50, () => event(shop, { sourceReference: 'once' })));
    expect(tally(outcomes)).toEqual({ done: 1, replayed: 49 });
    expect(new Set(outcomes.map((outcome) => JSON.stringify(receiptOf(outcome)))).size).toBe(1);
    const sql = 'select available from program_profiles where environment_id = $1';
    expect(await counter.value(sql, [shop.id])).toBe(50);
  });

  test('one reference for fifty members is the event of one of them', async () => {
    const ids = times(50, (index) => `m-${index}`);
    const shop = await club({}, ids);
    const outcomes = await race(
      ids.map((externalCustomerId) => event(shop, { externalCustomerId, sourceReference: 'one' })),
    );
    expect(tally(outcomes)).toEqual({ done: 1, source_reference_conflict: 49 });
  });

  test('sixty events complete a challenge of three exactly twenty times', async () => {
    const shop = await club();
    const outcomes = await race(times(60, () => event(shop)));
    expect(outcomes.flatMap(awardsOf)).toHaveLength(20);
    const sql = `select json_build_array(available, (select count(*) from transactions t
        where t.environment_id = $1 and event_type = 'challenge.awarded'))
      from program_profiles where environment_id = $1`;
    expect(await counter.value(sql, [shop.id])).toEqual([1000, 20]);
  });

  test('the last choice is made once', async () => {
    const shop = await club();
    await writer.submit(run(shop, 10));
    expect(tally(await race(times(30, () => choice(shop))))).toEqual({ done: 2, no_choice_left: 28 });
  });

  test('one claim sent thirty times is fulfilled once', async () => {
    const shop = await club();
    await writer.submit(run(shop, 10));
    const outcomes = await race(times(30, () => choice(shop, { sourceReference: 'once' })));
    expect(tally(outcomes)).toEqual({ done: 1, replayed: 29 });
  });

  test('the last of an inventory goes to one member', async () => {
    const ids = times(24, (index) => `m-${index}`);
    const shop = await club({}, ids);
    await race(ids.map((id) => run(shop, 10, id)));
    const outcomes = await race(
      ids.map((externalCustomerId) => choice(shop, { externalCustomerId, rewardId: 'tasting' })),
    );
    expect(tally(outcomes)).toEqual({ done: 2, inventory_exhausted: 22 });
    const sql = `select taken from shared_counters where environment_id = $1 and counter_id = 'choice:perks/tasting'`;
    expect(await counter.value(sql, [shop.id])).toBe(2);
  });

  test('choices and departures: nothing is claimed of what has expired', async () => {
    const ids = times(20, (index) => `m-${index}`);
    const shop = await club({}, ids);
    await race(ids.map((id) => run(shop, 10, id)));
    const outcomes = await race(
      ids.flatMap((externalCustomerId) => [
        shop.unenroll(externalCustomerId),
        choice(shop, { externalCustomerId }),
      ]),
    );
    expect(
      Object.keys(tally(outcomes)).filter((code) => code !== 'done' && code !== 'enrollment_required'),
    ).toEqual([]);
    const sql = `select count(*) from choice_grants where environment_id = $1 and state = 'open'`;
    expect(await counter.value(sql, [shop.id])).toBe(0);
  });

  test('leave every control as it should be', async () => {
    expect(await counter.failedControls()).toEqual([]);
  });
});

describe('controls', () => {
  async function failed(shop: Shop): Promise<string[]> {
    const client = await counter.database.adminPool.connect();
    try {
      return (await verifyLedger(client, shop.id)).filter(({ passed }) => !passed).map(({ id }) => id);
    } finally {
      client.release();
    }
  }

  test.each([
    ['nothing', 'select $1::uuid', []],
    [
      'an event that says another award',
      `update custom_events set receipt = replace(receipt::text, '"points":50', '"points":51')::json
       where environment_id = $1`,
      ['challenge-awards-equal-events'],
    ],
    [
      'a lost event',
      `delete from custom_events where receipt::text like '%"points":50%' and environment_id = $1`,
      ['challenge-awards-equal-events', 'completions-equal-awards'],
    ],
    [
      'a completion that nobody was told of',
      'update challenge_progress set completions = completions + 1 where environment_id = $1',
      ['completions-equal-awards'],
    ],
    [
      'a choice that came back',
      'update choice_grants set remaining = 2 where environment_id = $1',
      ['choices-equal-claims'],
    ],
    [
      'a counter that was turned back',
      'update shared_counters set taken = 0 where environment_id = $1',
      ['choice-counters-equal-claims'],
    ],
    [
      'a lost claim',
      'delete from choice_claims where environment_id = $1',
      ['choices-equal-claims', 'choice-counters-equal-claims'],
    ],
  ])('%s', async (_what, corruption, expected) => {
    const shop = await club();
    for (const command of [...times(3, () => event(shop)), run(shop, 10), choice(shop)]) {
      await writer.submit(command);
    }
    await counter.database.adminPool.query(corruption, [shop.id]);
    expect(await failed(shop)).toEqual(expected);
  });
});
