import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { recordCustomEvent } from '../../../src/commands/engagement/record-custom-event.ts';
import { codeOf, type Desk, daysFrom, rows } from '../../support/commands/desk.ts';
import { awardsOf, choose, club, perks, runKm } from '../../support/commands/engagement.ts';

type Step =
  | { act: 'run'; km: number }
  | { act: 'choose'; rewardId: string }
  | { act: 'wait'; days: number }
  | { act: 'leave' }
  | { act: 'come' };

const steps = fc.array(
  fc.oneof(
    fc.record({ act: fc.constant('run' as const), km: fc.integer({ min: 1, max: 25 }) }),
    fc.record({ act: fc.constant('choose' as const), rewardId: fc.constantFrom('tasting', 'mug', 'tour') }),
    fc.record({ act: fc.constant('choose' as const), rewardId: fc.constantFrom('tasting', 'mug', 'tour') }),
    fc.record({ act: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 31 }) }),
    fc.constantFrom<Step>({ act: 'leave' }, { act: 'come' }),
  ),
  { maxLength: 60 },
);

function carryOut(desk: Desk, step: Step): string {
  switch (step.act) {
    case 'run':
      return codeOf(runKm(desk, step.km));
    case 'choose':
      return codeOf(choose(desk, { rewardId: step.rewardId }));
    case 'wait':
      desk.now = daysFrom(desk.now, step.days);
      return 'done';
    case 'leave':
      return codeOf(desk.unenroll());
    case 'come':
      return codeOf(desk.enroll());
  }
}

test('whatever happens in whatever order: nothing is chosen that was not granted, or more than there is', () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      const desk = club();
      for (const step of sequence) {
        const before = rows(desk.store.tables.choiceClaims).length;
        const code = carryOut(desk, step);
        const made = rows(desk.store.tables.choiceClaims).length - before;
        expect(made).toBe(step.act === 'choose' && code === 'done' ? 1 : 0);
      }
      const claims = rows(desk.store.tables.choiceClaims);
      for (const grant of rows(desk.store.tables.choiceGrants)) {
        const own = claims.filter(({ grantId }) => grantId === grant.id);
        expect(grant.remaining).toBe(grant.choices - own.length);
        for (const { claimedAt } of own) {
          expect(claimedAt >= grant.grantedAt).toBe(true);
          expect(grant.expiresAt === null || claimedAt < grant.expiresAt).toBe(true);
        }
        for (const { id, repeatable } of perks.rewards) {
          const times = own.filter(({ rewardId }) => rewardId === id).length;
          if (!repeatable) expect(times).toBeLessThanOrEqual(1);
        }
      }
      for (const { id, inventory } of perks.rewards) {
        const counted =
          desk.store.tables.sharedCounters.get(`coffee-club\u0000choice:perks/${id}`)?.taken ?? 0;
        expect(counted).toBe(claims.filter(({ rewardId }) => rewardId === id).length);
        expect(counted).toBeLessThanOrEqual(inventory ?? Number.POSITIVE_INFINITY);
      }
    }),
    { numRuns: 200 },
  );
});

test('events give the same in one batch as one by one', () => {
  const distances = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(distances, fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 20 }), (kms, sizes) => {
      const commands = (desk: Desk) =>
        kms.map((km, index) =>
          recordCustomEvent(
            {
              idempotencyKey: `k-${index}`,
              type: 'run',
              externalCustomerId: 'ann',
              sourceReference: `run-${index}`,
              attributes: { km },
            },
            desk.caller,
          ),
        );
      const [alone, together] = [club(), club()];
      const expected = commands(alone).map((command) => awardsOf(alone.run(command)));
      const waiting = commands(together);
      const found: unknown[] = [];
      for (const size of [...sizes, kms.length]) {
        const batch = waiting.splice(0, size);
        found.push(...together.store.runBatch(batch, together.now).map(awardsOf));
      }
      expect(found).toEqual(expected);
      const progress = (desk: Desk) =>
        rows(desk.store.tables.challengeProgress).map(({ reached, completions }) => [reached, completions]);
      expect(progress(together)).toEqual(progress(alone));
    }),
    { numRuns: 100 },
  );
});
