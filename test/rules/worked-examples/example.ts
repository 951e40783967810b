import type { Campaign, CampaignAward, Coupon } from '../../../src/programs/document/campaign-document.ts';
import type { Condition, Rounding } from '../../../src/programs/document/document-values.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import type { MemberFacts } from '../../../src/rules/conditions/member-facts.ts';
import type { PurchaseFacts } from '../../../src/rules/conditions/purchase-facts.ts';

/**
 * A purchase and what it earns, worked out by hand. Where nothing else is said it is of $100 in the web shop, at noon
 * UTC on Wednesday 4 March 2026, by a member in bronze (× 1) of whom nothing is known, under one rule `base` that gives
 * one point for each full dollar; silver is × 5/4, gold × 3/2.
 */
export interface WorkedExample {
  name: string;
  /** How the points come about, step by step. */
  arithmetic: string;
  program?: Partial<ProgramDocument>;
  purchase?: Partial<PurchaseFacts>;
  profile?: { tier: string; qualificationPoints: number };
  member?: Partial<MemberFacts>;
  /** RFC 3339. */
  at?: string;
  pinned?: true;
  limitUsed?: number;
  /** Points that campaigns have given. */
  capsUsed?: Record<string, { total?: number; member?: number; memberPeriod?: number }>;
  couponUsed?: { total: number; member: number };
  expected: Expected | { refused: string };
}

export interface Expected {
  base: number;
  /** By campaign, in the order in which they apply; those that give nothing are left out. */
  campaigns?: Record<string, number>;
  /** Points of a valid coupon; `invalid` for another. */
  coupon?: number | 'invalid';
  points: number;
  /** `kind id points`, or `kind id no` where it did not apply; every one, in order. */
  decisions: string[];
  /** `index: value points`, and `rest: …`; absent where the program does not earn by line. */
  lines?: string[];
  /** RFC 3339; null, or absent, for at once and for never. */
  activatesAt?: string | null;
  expiresAt?: string | null;
}

export function campaign(id: string, award: CampaignAward, more: Partial<Campaign> = {}): Campaign {
  return { id, match: 'all', conditions: [], award, ...more };
}

export function coupon(code: string, award: CampaignAward, more: Partial<Coupon> = {}): Coupon {
  return { code, award, ...more };
}

export const bonus = (bonusPoints: number): CampaignAward => ({ bonusPoints });

export function times(numerator: number, denominator = 1, rounding: Rounding = 'floor'): CampaignAward {
  return { multiplier: { numerator, denominator }, rounding };
}

export function when(field: string, operator: Condition['operator'], value: Condition['value']): Condition {
  return { field, operator, value };
}

/** Decisions of the one rule and of bronze, for so many points. */
export const plain = (points: number): string[] => [`earn_rule base ${points}`, 'tier bronze 0'];
