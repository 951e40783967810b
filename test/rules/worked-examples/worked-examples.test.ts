import { describe, expect, test } from '@jest/globals';
import { referenceEvaluation } from '../../../simulator/model/award/evaluation.ts';
import { referenceReferral } from '../../../simulator/model/award/referral.ts';
import { stranger } from '../../../simulator/model/award/situation.ts';
import { parseProgram } from '../../../src/programs/parse/parse-program.ts';
import { isRefusal } from '../../../src/refusal.ts';
import type { MemberFacts } from '../../../src/rules/conditions/member-facts.ts';
import {
  evaluatePurchase,
  type PurchaseEvaluationInput,
} from '../../../src/rules/earning/evaluate-purchase.ts';
import { decideReferral } from '../../../src/rules/earning/referral.ts';
import { awardOf } from '../../support/rules/award-of.ts';
import { input, noon, program, purchase } from '../../support/rules/fixtures.ts';
import { basketExamples, lineCampaignExamples, lineRoundingExamples, lineRuleExamples } from './baskets.ts';
import { awardExamples, capExamples, stackingExamples } from './campaigns.ts';
import { conditionExamples } from './conditions.ts';
import { dateExamples, referralExamples } from './dates.ts';
import type { Expected, WorkedExample } from './example.ts';
import { couponExamples, limitExamples } from './limits.ts';
import { roundingExamples, tierExamples } from './rounding.ts';
import { audienceExamples, scheduleExamples } from './schedules.ts';

// Purchases whose points were worked out by hand, compared with src and with the second implementation.

const subjects: [string, readonly WorkedExample[]][] = [
  ['conditions', conditionExamples],
  ['rounding', roundingExamples],
  ['tiers', tierExamples],
  ['bonus points and multipliers', awardExamples],
  ['stacking', stackingExamples],
  ['caps', capExamples],
  ['the member limit', limitExamples],
  ['coupons', couponExamples],
  ['schedules', scheduleExamples],
  ['audiences', audienceExamples],
  ['pending and expiration', dateExamples],
  ['lines and their values', basketExamples],
  ['rules for lines', lineRuleExamples],
  ['rounding of lines', lineRoundingExamples],
  ['campaigns on lines', lineCampaignExamples],
];

describe.each(subjects)('worked examples of %s', (_subject, examples) => {
  test.each(examples.map((example) => [example.name, example] as const))('%s', (_name, example) => {
    const situation = situationOf(example);
    expect(parseProgram(JSON.stringify(situation.program))).toMatchObject({ ok: true });
    const evaluation = evaluatePurchase(situation);
    const mine = isRefusal(evaluation) ? evaluation.code : awardOf(evaluation);
    const expected = 'refused' in example.expected ? example.expected.refused : wholeOf(example.expected);
    expect(mine).toEqual(expected);
    expect(referenceEvaluation(situation)).toEqual(expected);
  });
});

test('each operator, rounding and policy is worked out at least once', () => {
  const text = JSON.stringify(subjects);
  const words = [
    ...['equals', 'not_equals', 'in', 'not_in', 'gt', 'gte', 'lt', 'lte', 'between', 'exists'],
    ...['floor', 'ceil', 'nearest_half_up', 'nearest_half_even', 'exclusive', 'best', 'trim', 'reject'],
    ...[
      'totalPoints',
      'memberPoints',
      'memberPeriod',
      'rolling_days',
      'end_of_period',
      'inactivity',
      'never',
    ],
  ];
  expect(words.filter((word) => !text.includes(`"${word}"`))).toEqual([]);
  const names = subjects.flatMap(([subject, examples]) => examples.map(({ name }) => `${subject}: ${name}`));
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(60);
  const baskets = [basketExamples, lineRuleExamples, lineRoundingExamples, lineCampaignExamples].flat();
  expect(baskets.length).toBeGreaterThanOrEqual(60);
});

test.each(referralExamples)('referral: $name', (example) => {
  const { section, code, purchasesBefore, amountMinor, rewardedFor, expected } = example;
  const { award, decision } = decideReferral(section ?? null, {
    code: 'ANN1',
    objection: code === 'another' ? null : 'Not another member’s.',
    purchaseCount: purchasesBefore,
    amountMinor,
    referralCount: rewardedFor,
  });
  expect(award ? [award.referrerPoints, award.refereePoints] : [0, 0]).toEqual(expected);
  expect({ matched: decision.matched, points: decision.points }).toEqual({
    matched: award !== null,
    points: 0,
  });
  const facts = { ofAnother: code === 'another', purchasesBefore, amountMinor, rewardedFor };
  expect(referenceReferral(section, facts)).toEqual(expected);
});

function situationOf(example: WorkedExample): PurchaseEvaluationInput {
  const { program: document, purchase: bought, profile, at, pinned, limitUsed, capsUsed } = example;
  const member: MemberFacts = { ...stranger, ...example.member };
  const unused = { total: 0, member: 0, memberPeriod: 0 };
  return input({
    program: program(document),
    purchase: purchase(bought),
    ...(profile && { profile }),
    ...(at !== undefined && { evaluationAt: new Date(at) }),
    ...(pinned && { mode: 'event_time_pinned_configuration' }),
    ...(limitUsed !== undefined && { limitUsed }),
    ...(example.member && { member }),
    capsUsed: new Map(Object.entries(capsUsed ?? {}).map(([id, use]) => [id, { ...unused, ...use }])),
    ...(example.couponUsed && { couponUsed: example.couponUsed }),
  });
}

/** What an example expects, laid out as the implementations answer. */
function wholeOf({ base, campaigns = {}, coupon, points, decisions, lines, ...dates }: Expected): unknown {
  const { activatesAt, expiresAt } = dates;
  const date = (text: string | null | undefined) =>
    text === undefined || text === null ? null : new Date(text);
  return {
    points,
    basePoints: base,
    campaigns: Object.entries(campaigns).map(([campaignId, given]) => ({ campaignId, points: given })),
    coupon:
      coupon === undefined
        ? null
        : { valid: coupon !== 'invalid', points: coupon === 'invalid' ? 0 : coupon },
    qualificationPoints: expect.any(Number),
    tier: expect.any(String),
    decisions,
    lines: lines?.map(lineOf) ?? null,
    activatesAt: date(activatesAt),
    expiresAt: date(expiresAt),
  };
}

/** A line of an award that an example writes as `index: value points`. */
function lineOf(text: string): unknown {
  const [index, valueMinor, points] = text.split(/:? /);
  return expect.objectContaining({
    index: index === 'rest' ? null : Number(index),
    valueMinor: Number(valueMinor),
    points: Number(points),
  });
}

test('noon is a Wednesday', () => expect(noon.getUTCDay()).toBe(3));
