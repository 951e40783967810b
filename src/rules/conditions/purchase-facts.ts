/** A line of a purchase or of a cart, as far as rules look at it. Money in minor currency units. */
export interface ItemFacts {
  lineReference?: string | null | undefined;
  sku?: string | null | undefined;
  category?: string | null | undefined;
  quantity?: number | null | undefined;
  unitPriceMinor?: number | null | undefined;
  /** Of a cart's line alone, as its attributes. */
  tags?: readonly string[] | null | undefined;
  attributes?: Readonly<Record<string, unknown>> | null | undefined;
}

/** What is known of a purchase when it is evaluated. */
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

/** The member's profile as conditions see it. */
export interface ProfileFacts {
  /** Tier id. */
  tier: string;
  /** Before what is evaluated, in the smallest loyalty unit. */
  qualificationPoints: number;
}
