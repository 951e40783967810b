import type { ProgramDocument } from '../../../../src/programs/document/program-document.ts';

/** Everything that a purchase's points depend on. Declared here, so that nothing of src/rules is imported. */
export interface Situation {
  program: ProgramDocument;
  mode: 'receipt_time_current_configuration' | 'event_time_pinned_configuration';
  evaluationAt: Date;
  purchase: BoughtGoods;
  profile: { tier: string; qualificationPoints: number };
  limitUsed: number;
  member?: KnownHistory;
  capsUsed?: ReadonlyMap<string, { total: number; member: number; memberPeriod: number }>;
  couponUsed?: { total: number; member: number };
}

export interface BoughtGoods {
  amountMinor: number;
  currency?: string | null | undefined;
  channel: string;
  sourceReference?: string | null | undefined;
  couponCode?: string | null | undefined;
  occurredAt: Date;
  items?: readonly object[] | null | undefined;
  attributes?: object | null | undefined;
}

export interface KnownHistory {
  purchaseCount: number;
  purchaseAmountMinor: number;
  firstPurchaseAt: Date | null;
  lastPurchaseAt: Date | null;
  tags: readonly string[];
  lists: readonly string[];
}

/** The facts of a member of whom nothing is known. */
export const stranger: KnownHistory = {
  purchaseCount: 0,
  purchaseAmountMinor: 0,
  firstPurchaseAt: null,
  lastPurchaseAt: null,
  tags: [],
  lists: [],
};

/**
 * `kind id points`, and `no` instead of points where it did not apply; with ` [place: value points, …]` where lines are
 * told.
 */
export type Decided = string;

/** What a purchase earns by this implementation. */
export interface Award {
  points: number;
  basePoints: number;
  /** By campaign id; those that give nothing are left out. */
  campaigns: Record<string, number>;
  /** Points of the purchase's coupon; null where it has none. */
  coupon: { valid: boolean; points: number } | null;
  qualificationPoints: number;
  tier: string;
  decisions: Decided[];
  /** `place: value points` of each line, and `rest: …`; null where the program does not look at lines. */
  lines: string[] | null;
  activatesAt: Date | null;
  expiresAt: Date | null;
}
