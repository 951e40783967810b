export const PINNED = 'event_time_pinned_configuration';

/** What a client tells of a purchase. */
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

/** Which configuration it asks for. */
export interface Pin {
  mode: typeof PINNED;
  configurationVersion?: number;
  memberTier?: string;
}
