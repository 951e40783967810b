/** The parts of a line of a purchase or cart that rules read. Money in minor currency units. */
export interface ItemFacts {
  lineReference?: string | null | undefined;
  sku?: string | null | undefined;
  category?: string | null | undefined;
  quantity?: number | null | undefined;
  unitPriceMinor?: number | null | undefined;
  /** Only lines of carts have tags and attributes. */
  tags?: readonly string[] | null | undefined;
  attributes?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The facts about a purchase that its evaluation reads. */
export interface PurchaseFacts {
  /** 0 to 10^12. */
  amountMinor: number;
  /** ISO 4217 code; the program's own where absent. */
  currency?: string | null | undefined;
  channel: string;
  sourceReference?: string | null | undefined;
  couponCode?: string | null | undefined;
  /** When the purchase was completed; pending points count their days from here. */
  occurredAt: Date;
  items?: readonly ItemFacts[] | null | undefined;
  /** `context.attributes` of the event. */
  attributes?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The parts of the member's profile that conditions read. */
export interface ProfileFacts {
  /** Tier id. */
  tier: string;
  /** Before the event that is evaluated, in the smallest loyalty unit. */
  qualificationPoints: number;
}
