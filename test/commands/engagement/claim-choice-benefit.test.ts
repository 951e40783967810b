import { describe, expect, test } from '@jest/globals';
import { claimChoiceBenefit } from '../../../src/commands/engagement/claim-choice-benefit.ts';
import { codeOf, type Desk, daysFrom, receiptOf, rows } from '../../support/commands/desk.ts';
import { choose, club, engagement, perks, runKm } from '../../support/commands/engagement.ts';
import { program, tier } from '../../support/rules/fixtures.ts';

/** A club where ann has been given so many grants of two choices each, by running. */
function ran(grants = 1, desk = club()): Desk {
  runKm(desk, grants * 10);
  return desk;
}

function grantsOf(desk: Desk) {
  return rows(desk.store.tables.choiceGrants).map(({ grantedBy, remaining, state }) => [
    grantedBy,
    remaining,
    state,
  ]);
}

describe('a choice', () => {
  test('is fulfilled out of what was granted, and spends no points', () => {
    const desk = ran();
    const outcome = choose(desk, { sourceReference: 'choice-1' });
    expect(receiptOf(outcome)).toEqual({
      id: expect.stringMatching(/^chc_[0-7][0-9a-z]{25}$/),
      state: 'fulfilled',
      choice: { setId: 'perks', rewardId: 'mug', rewardName: 'A mug', choicesRemaining: 1 },
    });
    const [grant] = rows(desk.store.tables.choiceGrants);
    expect(grant).toMatchObject({ remaining: 1, state: 'open' });
    expect(rows(desk.store.tables.choiceClaims)).toMatchObject([
      { sourceReference: 'choice-1', grantId: grant?.id, rewardId: 'mug', receipt: receiptOf(outcome) },
    ]);
    expect(rows(desk.store.tables.sharedCounters)).toEqual([
      { programId: 'coffee-club', counterId: 'choice:perks/mug', taken: 1 },
    ]);
    expect(rows(desk.store.tables.postings)).toEqual([]);
    expect(rows(desk.store.tables.audits).at(-1)).toMatchObject({
      action: 'choice.fulfilled',
      targetId: receiptOf(outcome).id,
    });
  });

  test('comes out of the oldest grant that allows it, and counts what all of them leave', () => {
    const desk = ran(2);
    const remaining = ['tour', 'tour', 'mug', 'mug'].map(
      (rewardId) =>
        (receiptOf(choose(desk, { rewardId })).choice as Record<string, unknown>).choicesRemaining,
    );
    expect(remaining).toEqual([3, 2, 1, 0]);
    expect(grantsOf(desk)).toEqual([
      ['challenge:ten-km#1', 0, 'exhausted'],
      ['challenge:ten-km#2', 0, 'exhausted'],
    ]);
    const [first, second] = rows(desk.store.tables.choiceGrants);
    expect(rows(desk.store.tables.choiceClaims).map(({ grantId }) => grantId)).toEqual([
      first?.id,
      second?.id,
      first?.id,
      second?.id,
    ]);
    expect(codeOf(choose(desk))).toBe('no_choice_left');
  });

  test('of a reward that is not repeatable is made once of each grant; of a repeatable one as often as there are choices', () => {
    const desk = ran();
    expect(codeOf(choose(desk, { rewardId: 'tour' }))).toBe('done');
    expect(codeOf(choose(desk, { rewardId: 'tour' }))).toBe('no_choice_left');
    expect(codeOf(choose(desk, { rewardId: 'mug' }))).toBe('done');
    const other = ran();
    expect([choose(other), choose(other)].map(codeOf)).toEqual(['done', 'done']);
  });

  test('is made until its grant lapses, and not then', () => {
    const desk = ran();
    desk.now = new Date(daysFrom(desk.now, 30).getTime() - 1);
    expect(codeOf(choose(desk))).toBe('done');
    desk.now = new Date(desk.now.getTime() + 1);
    expect(codeOf(choose(desk))).toBe('no_choice_left');
  });

  test('takes from an inventory that all members share', () => {
    const desk = ran(2);
    desk.createMember({ externalCustomerId: 'bob' });
    desk.enroll({ externalCustomerId: 'bob' });
    expect(codeOf(choose(desk, { rewardId: 'tasting' }))).toBe('done');
    expect(codeOf(choose(desk, { rewardId: 'tasting' }))).toBe('done');
    expect(codeOf(choose(desk, { rewardId: 'tasting' }))).toBe('no_choice_left');
    runKm(desk, 10);
    expect(codeOf(choose(desk, { rewardId: 'tasting' }))).toBe('inventory_exhausted');
    expect(rows(desk.store.tables.sharedCounters)).toMatchObject([{ taken: 2 }]);
  });

  test('of sets and rewards whose ids hold slashes is counted for itself', () => {
    const rewards = [
      { id: 'b/c', name: 'B', inventory: 1 },
      { id: 'c', name: 'C', inventory: 1 },
    ];
    const sets = ['a', 'a/b', 'a%2Fb'].map((id) => ({ ...perks, id, rewards, grantedByTiers: ['bronze'] }));
    const desk = club({ choiceSets: sets });
    const pairs = [
      ['a', 'b/c'],
      ['a/b', 'c'],
      ['a%2Fb', 'c'],
    ] as const;
    for (const [choiceSetId, rewardId] of pairs)
      expect(codeOf(choose(desk, { choiceSetId, rewardId }))).toBe('done');
    expect(rows(desk.store.tables.sharedCounters).map(({ counterId, taken }) => [counterId, taken])).toEqual([
      ['choice:a/b/c', 1],
      ['choice:a%2Fb/c', 1],
      ['choice:a%252Fb/c', 1],
    ]);
  });

  test('leaves what the member may choose in the same set of another program out of the count', () => {
    const desk = club();
    desk.publish(program({ ...engagement, id: 'tea-club', eventDefinitions: [] }));
    desk.enroll({ programId: 'tea-club' });
    runKm(desk, 20);
    expect(grantsOf(desk)).toHaveLength(4);
    const remaining = [1, 2, 3, 4, 5].map(() => {
      const { choicesRemaining } = receiptOf(choose(desk)).choice as Record<string, unknown>;
      return choicesRemaining;
    });
    expect(remaining).toEqual([3, 2, 1, 0, 3]);
  });

  test('takes from the inventory of the version in effect, also where a later one has no such reward', () => {
    const desk = ran(2);
    const document = program(engagement);
    const since = { effectiveFrom: daysFrom(desk.now, -9), publishedAt: daysFrom(desk.now, -9) };
    const rewards = perks.rewards.filter(({ id }) => id !== 'tasting');
    desk.publish(program({ ...engagement, choiceSets: [{ ...perks, rewards }] }), {
      versions: [{ version: 1, ...since, document }],
      effectiveFrom: daysFrom(desk.now, 9),
      publishedAt: desk.now,
    });
    expect([1, 2].map(() => codeOf(choose(desk, { rewardId: 'tasting' })))).toEqual(['done', 'done']);
    runKm(desk, 10);
    expect(codeOf(choose(desk, { rewardId: 'tasting' }))).toBe('inventory_exhausted');
  });

  test('counts also while nothing limits it: an inventory that comes later counts from the beginning', () => {
    const desk = ran(2);
    choose(desk);
    const rewards = [{ id: 'mug', name: 'A mug', inventory: 1 }];
    desk.publish(program({ ...engagement, choiceSets: [{ ...perks, rewards }] }));
    expect(codeOf(choose(desk))).toBe('inventory_exhausted');
  });
});

describe('what is refused', () => {
  test.each([
    ['an unknown member', { externalCustomerId: 'nobody' }, 'member_not_found'],
    ['an unknown choice set', { choiceSetId: 'extras' }, 'choice_set_not_found'],
    ['a reward that the set does not have', { rewardId: 'car' }, 'reward_not_found'],
  ])('%s', (_name, change, code) => {
    expect(codeOf(choose(ran(), change))).toBe(code);
  });

  test('a member without a grant, without an enrollment, and one that is suspended', () => {
    const desk = club();
    expect(codeOf(choose(desk))).toBe('no_choice_left');
    desk.createMember({ externalCustomerId: 'bob' });
    expect(codeOf(choose(desk, { externalCustomerId: 'bob' }))).toBe('enrollment_required');
    desk.setMember({ status: 'suspended' });
    expect(codeOf(choose(desk))).toBe('member_not_found');
  });

  test('a set that no version in effect has any more', () => {
    const desk = ran();
    desk.publish(program({ ...engagement, choiceSets: [] }));
    expect(codeOf(choose(desk))).toBe('choice_set_not_found');
  });

  test('a reference of another claim; the same claim again is answered as it was', () => {
    const desk = ran();
    const first = receiptOf(choose(desk, { sourceReference: 'choice-1', idempotencyKey: 'a' }));
    const again = choose(desk, { sourceReference: 'choice-1' });
    expect({ code: codeOf(again), receipt: receiptOf(again) }).toEqual({ code: 'replayed', receipt: first });
    expect(codeOf(choose(desk, { sourceReference: 'choice-1', rewardId: 'tour' }))).toBe(
      'source_reference_conflict',
    );
    desk.createMember({ externalCustomerId: 'bob' });
    expect(codeOf(choose(desk, { sourceReference: 'choice-1', externalCustomerId: 'bob' }))).toBe(
      'source_reference_conflict',
    );
    expect(rows(desk.store.tables.choiceClaims)).toHaveLength(1);
  });

  test('a reference of a claim of the same reward in another set', () => {
    const more = { ...perks, id: 'more-perks', grantedByTiers: ['bronze'] };
    const desk = club({ choiceSets: [{ ...perks, grantedByTiers: ['bronze'] }, more] });
    expect(codeOf(choose(desk, { sourceReference: 'choice-1' }))).toBe('done');
    expect(codeOf(choose(desk, { sourceReference: 'choice-1', choiceSetId: 'more-perks' }))).toBe(
      'source_reference_conflict',
    );
  });

  test('in one batch: the second choice out of the last one, and the second claim of one reference', () => {
    const desk = ran();
    choose(desk);
    const claim = (key: string, sourceReference: string) =>
      claimChoiceBenefit(
        {
          idempotencyKey: key,
          externalCustomerId: 'ann',
          choiceSetId: 'perks',
          rewardId: 'mug',
          sourceReference,
        },
        desk.caller,
      );
    const outcomes = desk.store.runBatch([claim('a', '1'), claim('b', '2'), claim('c', '1')], desk.now);
    expect(outcomes.map(codeOf)).toEqual(['done', 'no_choice_left', 'replayed']);
  });
});

describe('tiers grant choices', () => {
  const spend = (desk: Desk, dollars: number) => desk.earn({ amountMinor: dollars * 100 });

  test('when a purchase leads to them, once each, however often the member comes to them', () => {
    const desk = club();
    spend(desk, 999);
    expect(grantsOf(desk)).toEqual([]);
    spend(desk, 1);
    expect(grantsOf(desk)).toEqual([['tier:silver', 2, 'open']]);
    spend(desk, 1);
    expect(grantsOf(desk)).toHaveLength(1);
    // The member falls to bronze, and reaches silver again.
    desk.setProfile({ tier: 'bronze', qualificationPoints: 0 });
    spend(desk, 1000);
    expect(grantsOf(desk)).toEqual([['tier:silver', 2, 'open']]);
    spend(desk, 4000);
    expect(grantsOf(desk)).toEqual([
      ['tier:silver', 2, 'open'],
      ['tier:gold', 2, 'open'],
    ]);
  });

  test('of every tier on the way where one purchase leads over several', () => {
    const desk = club();
    spend(desk, 5000);
    expect(grantsOf(desk).map(([grantedBy]) => grantedBy)).toEqual(['tier:silver', 'tier:gold']);
    expect(choose(desk)).toMatchObject({ receipt: { choice: { choicesRemaining: 3 } } });
  });

  test('of the first tier with the enrollment, and not again with the next one', () => {
    const sets = [{ ...perks, grantedByTiers: ['bronze'] }];
    const desk = club({ choiceSets: sets });
    expect(grantsOf(desk)).toEqual([['tier:bronze', 2, 'open']]);
    desk.unenroll();
    desk.enroll();
    expect(grantsOf(desk)).toEqual([['tier:bronze', 2, 'expired']]);
  });

  test('of the tier that was come to alone, from one that the program does not have', () => {
    const tiers = [tier('basic', 0, 1), tier('silver', 10, 1), tier('gold', 20, 1)];
    const desk = club({ tiers });
    desk.setProfile({ tier: 'platinum', qualificationPoints: 0 });
    spend(desk, 20);
    expect(grantsOf(desk)).toEqual([['tier:gold', 2, 'open']]);
  });
});

describe('leaving the program', () => {
  test('expires the choices that are left in it, and in no other one', () => {
    const desk = ran(2);
    choose(desk);
    choose(desk);
    desk.publish(program({ ...engagement, id: 'tea-club', eventDefinitions: [] }));
    desk.enroll({ programId: 'tea-club' });
    runKm(desk, 10);
    expect(codeOf(desk.unenroll())).toBe('done');
    expect(grantsOf(desk).map(([, remaining, state]) => [remaining, state])).toEqual([
      [0, 'exhausted'],
      [2, 'expired'],
      [2, 'expired'],
      [2, 'open'],
    ]);
    expect(rows(desk.store.tables.choiceClaims)).toHaveLength(2);
    expect(receiptOf(choose(desk)).choice).toMatchObject({ choicesRemaining: 1 });
    desk.unenroll({ programId: 'tea-club' });
    expect(codeOf(choose(desk))).toBe('enrollment_required');
    desk.enroll();
    expect(codeOf(choose(desk))).toBe('no_choice_left');
  });
});
