import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { referenceEvaluation } from '../../../simulator/model/award/evaluation.ts';
import { parseProgram } from '../../../src/programs/parse/parse-program.ts';
import { isRefusal } from '../../../src/refusal.ts';
import {
  evaluatePurchase,
  type PurchaseEvaluationInput,
} from '../../../src/rules/earning/evaluate-purchase.ts';
import { awardOf } from '../../support/rules/award-of.ts';
import { anyProgram } from '../../support/rules/random-programs.ts';
import { anySituation } from '../../support/rules/random-situations.ts';

// The whole evaluation against a second implementation in plain rational arithmetic (simulator/model/award).

describe('the second implementation', () => {
  test('agrees on random programs, members and purchases, decision by decision', () => {
    const seen: Record<string, number> = {};
    const count = (what: string, saw: unknown) => {
      if (saw) seen[what] = (seen[what] ?? 0) + 1;
    };
    fc.assert(
      fc.property(anySituation, (situation) => {
        const evaluation = evaluatePurchase(situation);
        const expected = referenceEvaluation(situation);
        if (isRefusal(evaluation)) {
          expect(evaluation.code).toBe(expected);
          count(evaluation.code, true);
          return;
        }
        const found = awardOf(evaluation);
        expect(found).toEqual(expected);
        const cut = (kind: string) =>
          found.decisions.some((one) => one.startsWith(kind) && /-\d+$/.test(one));
        count('earned', found.basePoints > 0);
        count('campaigns', found.campaigns.length > 1);
        count('caps', cut('campaign_cap'));
        count('limit', cut('member_limit'));
        count('coupon', found.coupon?.valid);
        count('invalid coupon', found.coupon?.valid === false);
        count('code of a pool', situation.poolCode && found.coupon?.valid);
        count(
          'held out',
          evaluation.ruleDecisions.some(({ kind, matched }) => kind === 'campaign_holdout' && matched),
        );
        count(
          'exclusive',
          evaluation.ruleDecisions.some(({ reason }) => reason?.includes('is exclusive')),
        );
        count(
          'best',
          evaluation.ruleDecisions.some(({ reason }) => reason?.includes('gives more')),
        );
        count('dates', found.activatesAt && found.expiresAt);
      }),
      { numRuns: 2_500 },
    );
    // The property proves something only if every kind of outcome occurs often.
    const refusals = ['currency_mismatch', 'unknown_tier', 'member_limit_reached', 'balance_limit_exceeded'];
    const rest = [
      'earned',
      'campaigns',
      'caps',
      'limit',
      'coupon',
      'invalid coupon',
      'code of a pool',
      'held out',
      'exclusive',
      'best',
      'dates',
    ];
    expect([...refusals, ...rest].filter((what) => (seen[what] ?? 0) < 5)).toEqual([]);
  });

  test('is asked about programs that can be published', () => {
    fc.assert(
      fc.property(anyProgram, (document) => {
        expect(parseProgram(JSON.stringify(document))).toEqual({ ok: true, document });
      }),
      { numRuns: 100 },
    );
  });
});

function evaluated(situation: PurchaseEvaluationInput) {
  const evaluation = evaluatePurchase(situation);
  return isRefusal(evaluation) ? evaluation.code : evaluation;
}

describe('laws of the whole evaluation', () => {
  test('points are never negative, are base and campaigns, and are the sum of the decisions', () => {
    fc.assert(
      fc.property(anySituation, (situation) => {
        const evaluation = evaluated(situation);
        if (typeof evaluation === 'string') return;
        const { points, basePoints, campaignPoints, campaigns, coupon, ruleDecisions } = evaluation;
        const given = campaigns.map((each) => each.points);
        const all = [
          points,
          basePoints,
          campaignPoints,
          evaluation.qualificationPoints,
          coupon?.points ?? 0,
          ...given,
        ];
        expect(all.every((each) => Number.isSafeInteger(each) && each >= 0)).toBe(true);
        expect(points).toBe(basePoints + campaignPoints);
        expect(campaignPoints).toBe(given.reduce((sum, each) => sum + each, coupon?.points ?? 0));
        // Of decisions that reach beyond 2^53 on the way, a sum of numbers would not be exact.
        const sum = ruleDecisions.reduce((sofar, decision) => sofar + BigInt(decision.points), 0n);
        expect(BigInt(points)).toBe(sum);
        expect(ruleDecisions.every(({ matched, points: decided }) => matched || decided === 0)).toBe(true);
      }),
      { numRuns: 750 },
    );
  });

  test('neither the order of conditions nor that of campaigns, audiences or coupons matters', () => {
    fc.assert(
      fc.property(anySituation, (situation) => {
        const turn = <T extends { conditions: unknown[] }>(all: readonly T[] | undefined) =>
          (all ?? []).map((one) => ({ ...one, conditions: one.conditions.toReversed() }));
        const { earn, campaigns, audiences, coupons } = situation.program;
        const turned = {
          ...situation.program,
          earn: { rules: turn(earn.rules) },
          campaigns: turn(campaigns).toReversed(),
          audiences: turn(audiences).toReversed(),
          coupons: (coupons ?? []).toReversed(),
        };
        const [one, other] = [
          evaluatePurchase(situation),
          evaluatePurchase({ ...situation, program: turned }),
        ];
        expect(isRefusal(other) ? other.code : awardOf(other)).toEqual(
          isRefusal(one) ? one.code : awardOf(one),
        );
      }),
      { numRuns: 500 },
    );
  });

  test('no cap is ever exceeded, and no member limit', () => {
    fc.assert(
      fc.property(anySituation, (situation) => {
        const evaluation = evaluated(situation);
        if (typeof evaluation === 'string') return;
        const { campaigns = [], memberLimit } = situation.program;
        for (const { campaignId, points } of evaluation.campaigns) {
          const { caps } = campaigns.find(({ id }) => id === campaignId) ?? {};
          const used = situation.capsUsed?.get(campaignId);
          expect(points + (used?.total ?? 0)).toBeLessThanOrEqual(
            caps?.totalPoints ?? Number.POSITIVE_INFINITY,
          );
          expect(points + (used?.member ?? 0)).toBeLessThanOrEqual(
            caps?.memberPoints ?? Number.POSITIVE_INFINITY,
          );
          const inPeriod = points + (used?.memberPeriod ?? 0);
          expect(inPeriod).toBeLessThanOrEqual(caps?.memberPeriod?.points ?? Number.POSITIVE_INFINITY);
        }
        const left = memberLimit ? Math.max(0, memberLimit.points - situation.limitUsed) : Infinity;
        expect(evaluation.points).toBeLessThanOrEqual(left);
      }),
      { numRuns: 500 },
    );
  });
});
