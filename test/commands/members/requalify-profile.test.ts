import { describe, expect, test } from '@jest/globals';
import { requalifyProfile } from '../../../src/commands/members/requalify-profile.ts';
import { toTypeId } from '../../../src/ids.ts';
import type { Outcome } from '../../../src/ledger/command.ts';
import type { Downgrade, QualificationWindow } from '../../../src/programs/document/program-document.ts';
import { codeOf, counter, type Desk, receiptOf, rows } from '../../support/commands/desk.ts';
import { program, tier } from '../../support/rules/fixtures.ts';

const yearly = (downgrade: Downgrade = 'to_reached') => ({
  qualification: { window: 'calendar_year' as const, downgrade },
});
const at = (text: string) => new Date(`${text}T00:00:00Z`);

function requalify(desk: Desk, externalCustomerId = 'ann'): Outcome {
  const { environmentId } = desk.caller;
  return desk.run(
    requalifyProfile({ environmentId, programId: 'coffee-club', externalCustomerId, requestId: 'op_run' }),
  );
}

function changes(desk: Desk) {
  return rows(desk.store.tables.audits).filter(({ action }) => action === 'tier.changed');
}

/** A desk at which ann has become gold in 2026. */
function golden(downgrade?: Downgrade): Desk {
  const desk = counter(yearly(downgrade));
  desk.earn({ amountMinor: 600_000 });
  return desk;
}

test('a purchase that changes the tier says so in the trail, and foresees the turn of the year', () => {
  const desk = golden();
  const { memberId } = desk.profile();
  expect(desk.profile()).toMatchObject({ tier: 'gold', requalifyAt: at('2027-01-01') });
  expect(changes(desk)).toMatchObject([
    {
      targetType: 'member',
      targetId: toTypeId('mem', memberId),
      actorType: 'api_key',
      changes: { programId: 'coffee-club', from: 'bronze', to: 'gold', qualificationPoints: 6_000 },
    },
  ]);
  desk.earn();
  expect(changes(desk)).toHaveLength(1);
});

test('nothing happens before the window ends, and once when it has', () => {
  const desk = golden();
  desk.now = new Date(at('2027-01-01').getTime() - 1);
  expect(receiptOf(requalify(desk))).toEqual({ requalified: null });
  const before = desk.profile();
  desk.now = at('2027-01-01');
  expect(receiptOf(requalify(desk))).toEqual({
    requalified: { from: 'gold', to: 'gold', qualificationPoints: 0 },
  });
  expect(desk.profile()).toEqual({
    ...before,
    version: before.version + 1,
    qualificationPoints: 0,
    qualificationSince: at('2027-01-01'),
    requalifyAt: at('2028-01-01'),
  });
  expect(changes(desk)).toHaveLength(1);
  desk.now = at('2028-01-01');
  expect(receiptOf(requalify(desk))).toEqual({
    requalified: { from: 'gold', to: 'bronze', qualificationPoints: 0 },
  });
  expect(receiptOf(requalify(desk))).toEqual({ requalified: null });
  expect(changes(desk).at(-1)).toMatchObject({
    actorType: 'system',
    actorId: 'time',
    requestId: 'op_run',
    changes: { from: 'gold', to: 'bronze' },
  });
  expect(desk.profile().requalifyAt).toBeNull();
});

test('points and lots stay as they are, also where the environment is locked', () => {
  const desk = golden('one_tier');
  const { available } = desk.profile();
  const postings = desk.store.tables.postings.size;
  desk.store.setLocked(true);
  desk.now = at('2028-01-01');
  expect(codeOf(requalify(desk))).toBe('done');
  expect(desk.profile()).toMatchObject({ tier: 'silver', available });
  expect(desk.store.tables.postings.size).toBe(postings);
});

test('a purchase after the end earns under the tier that is true, and the job finds nothing more to do', () => {
  const desk = golden();
  desk.now = at('2028-01-01');
  expect(receiptOf(desk.earn())).toMatchObject({ award: { points: 100 }, member: { tier: 'bronze' } });
  expect(changes(desk).at(-1)).toMatchObject({ changes: { from: 'gold', to: 'bronze' } });
  expect(receiptOf(requalify(desk))).toEqual({ requalified: null });
});

test('who has left is not re-qualified; who comes back is', () => {
  const desk = golden();
  desk.setProfile({ available: 0, enrolled: false, unenrolledAt: desk.now });
  desk.now = at('2028-01-01');
  expect(receiptOf(requalify(desk))).toEqual({ requalified: null });
  expect(desk.profile().tier).toBe('gold');
  expect(receiptOf(desk.enroll())).toMatchObject({ program: { tier: 'bronze', qualificationPoints: 0 } });
  expect(desk.profile()).toMatchObject({ tier: 'bronze', enrolled: true, requalifyAt: null });
  expect(changes(desk).at(-1)).toMatchObject({ actorId: 'time', changes: { from: 'gold', to: 'bronze' } });
});

test('a renewed consent shows the tier that is true, and leaves it to the job to write it down', () => {
  const desk = golden();
  desk.now = at('2028-01-01');
  expect(receiptOf(desk.enroll())).toMatchObject({ member: { tier: 'bronze' } });
  expect(desk.profile().tier).toBe('gold');
  expect(codeOf(requalify(desk))).toBe('done');
  expect(desk.profile().tier).toBe('bronze');
});

test('where a version has lowered what a tier takes, re-qualification lifts members, and grants what the tier does', () => {
  const desk = counter(yearly());
  desk.earn({ amountMinor: 90_000 });
  const document = program({
    ...yearly(),
    tiers: [tier('bronze', 0, 1), tier('silver', 800, 2)],
    choiceSets: [
      {
        id: 'gifts',
        name: 'Gifts',
        choices: 1,
        grantedByTiers: ['silver'],
        rewards: [{ id: 'mug', name: 'Mug' }],
      },
    ],
  });
  desk.publish(document);
  expect(receiptOf(requalify(desk))).toEqual({ requalified: null });
  desk.now = at('2027-01-01');
  expect(receiptOf(requalify(desk))).toEqual({
    requalified: { from: 'bronze', to: 'silver', qualificationPoints: 0 },
  });
  expect(rows(desk.store.tables.choiceGrants)).toMatchObject([
    { choiceSetId: 'gifts', grantedBy: 'tier:silver', memberId: desk.profile().memberId, remaining: 1 },
  ]);
});

test('where a version lets members fall who could not, the turn of the year is foreseen again', () => {
  const desk = golden('never');
  desk.now = at('2028-01-01');
  expect(receiptOf(requalify(desk))).toMatchObject({ requalified: { to: 'gold' } });
  expect(desk.profile().requalifyAt).toBeNull();
  desk.publish(program(yearly()));
  expect(receiptOf(requalify(desk))).toEqual({
    requalified: { from: 'gold', to: 'gold', qualificationPoints: 0 },
  });
  expect(desk.profile()).toMatchObject({ tier: 'gold', requalifyAt: at('2029-01-01') });
});

describe('as if the window had ended', () => {
  const byHand = (desk: Desk) => {
    const { environmentId } = desk.caller;
    const input = { environmentId, programId: 'coffee-club', externalCustomerId: 'ann', requestId: 'op_run' };
    return receiptOf(desk.run(requalifyProfile(input, { asIfEnded: true })));
  };
  const from = (window: QualificationWindow, silver: number, downgrade: Downgrade = 'to_reached') =>
    program({
      qualification: { window, downgrade },
      tiers: [tier('bronze', 0, 1), tier('silver', silver, 2)],
      choiceSets: [
        {
          id: 'gifts',
          name: 'Gifts',
          choices: 1,
          grantedByTiers: ['silver'],
          rewards: [{ id: 'mug', name: 'Mug' }],
        },
      ],
    });

  test.each<QualificationWindow>(['lifetime', 'rolling_12_months'])(
    'window %s: changed thresholds lift and lower at once, and a second run does nothing',
    (window) => {
      const desk = counter({ qualification: { window } });
      desk.publish(from(window, 1_000));
      desk.earn({ amountMinor: 50_000 });
      expect(byHand(desk)).toEqual({ requalified: null });
      desk.publish(from(window, 400));
      expect(receiptOf(requalify(desk))).toEqual({ requalified: null });
      expect(byHand(desk)).toEqual({
        requalified: { from: 'bronze', to: 'silver', qualificationPoints: 500 },
      });
      expect(rows(desk.store.tables.choiceGrants)).toMatchObject([{ grantedBy: 'tier:silver' }]);
      expect(byHand(desk)).toEqual({ requalified: null });
      desk.publish(from(window, 1_000));
      expect(receiptOf(requalify(desk))).toEqual({ requalified: null });
      expect(byHand(desk)).toEqual({
        requalified: { from: 'silver', to: 'bronze', qualificationPoints: 500 },
      });
      expect(byHand(desk)).toEqual({ requalified: null });
      expect(changes(desk)).toMatchObject([
        { actorId: 'time', changes: { from: 'bronze', to: 'silver' } },
        { actorId: 'time', changes: { from: 'silver', to: 'bronze' } },
      ]);
      // The points that counted before still count.
      desk.earn({ amountMinor: 50_000 });
      expect(desk.profile()).toMatchObject({ tier: 'silver', qualificationPoints: 1_000 });
    },
  );

  test.each<[Downgrade, QualificationWindow]>([
    ['never', 'lifetime'],
    ['never', 'rolling_12_months'],
    ['to_reached', 'calendar_year'],
    ['one_tier', 'lifetime'],
    ['one_tier', 'calendar_year'],
    ['one_tier', 'rolling_12_months'],
  ])('policy %s, window %s: lifted, and never lowered before its time', (downgrade, window) => {
    const desk = counter({ qualification: { window, downgrade } });
    desk.publish(from(window, 1_000, downgrade));
    desk.earn({ amountMinor: 50_000 });
    desk.publish(from(window, 400, downgrade));
    byHand(desk);
    expect(desk.profile().tier).toBe('silver');
    desk.publish(from(window, 1_000, downgrade));
    byHand(desk);
    byHand(desk);
    expect(desk.profile().tier).toBe('silver');
  });
});

test('who was never in the program is refused', () => {
  const desk = counter();
  expect(codeOf(requalify(desk, 'nobody'))).toBe('profile_not_found');
});
