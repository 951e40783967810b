export const PINNED = 'event_time_pinned_configuration';

/** The input of `purchaseEarn`, without the idempotency key. */
export interface Purchase {
  externalCustomerId: string;
  programId: string;
  amountMinor: number;
  channel: 'web' | 'store' | 'app';
  sourceReference: string;
  couponCode?: string;
  currency?: string;
  items?: PurchasedItem[];
  occurredAt?: string;
  context?: { attributes: { svcEvaluation?: Pin; referralCode?: string } };
}

export interface PurchasedItem {
  category: string;
  lineReference: string;
  quantity?: number;
  unitPriceMinor?: number;
}

/** The configuration that the purchase asks to be evaluated under. */
export interface Pin {
  mode: typeof PINNED;
  configurationVersion?: number;
  memberTier?: string;
}
