import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';

/** What conditions are evaluated on. */
export interface Facts {
  program: ProgramDocument;
  evaluationAt: Date;
  profile: { tier: string; qualificationPoints: number };
  /** A stranger where absent. */
  member?: KnownHistory | undefined;
  /** Absent where the conditions are about the member alone. */
  purchase?: BoughtGoods | undefined;
}

/** Everything that a purchase's points depend on. Declared here, so that nothing of src/rules is imported. */
export interface Situation extends Facts {
  mode: 'receipt_time_current_configuration' | 'event_time_pinned_configuration';
  purchase: BoughtGoods;
  limitUsed: number;
  capsUsed?: ReadonlyMap<string, CapUse>;
  /** Ids of the campaigns that are withheld from the member. */
  heldOut?: ReadonlySet<string>;
  couponUsed?: { total: number; member: number };
  /** What is known of the purchase's code where it is one of a pool. */
  poolCode?: PoolCode | null;
}

/** Points that a campaign has given: in all, to the member, and to the member in the period of its cap. */
export interface CapUse {
  total: number;
  member: number;
  memberPeriod: number;
}

export interface PoolCode {
  /** The coupon whose pool it is in. */
  poolId: string;
  uses: number;
  usesAllowed: number;
  assigned: 'to_nobody' | 'to_buyer' | 'to_another';
  disabled: boolean;
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
 * `kind id points`, and `no` instead of points where it did not apply; with ` [index: value points, …]` where the
 * decision is about lines.
 */
export type Decided = string;

/** What a line of a purchase earned; or, with index null, what no line explains. */
export interface LineAward {
  index: number | null;
  lineReference: string | null;
  valueMinor: number;
  points: number;
}

/** What a purchase earns by this implementation. */
export interface Award {
  points: number;
  basePoints: number;
  /** In the order in which they apply; those that give nothing are left out. */
  campaigns: { campaignId: string; points: number }[];
  /** Points of the purchase's coupon; null where it has none. */
  coupon: { valid: boolean; points: number } | null;
  qualificationPoints: number;
  tier: string;
  decisions: Decided[];
  /** In the order of the purchase; null where the program does not look at lines. */
  lines: LineAward[] | null;
  activatesAt: Date | null;
  expiresAt: Date | null;
}
