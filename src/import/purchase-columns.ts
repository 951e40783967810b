/** The columns of a file of purchases; the first three are required. */
export const PURCHASE_COLUMNS = [
  'external_customer_id',
  'source_reference',
  'amount_minor',
  'occurred_at',
  'channel',
  'currency',
  'coupon_code',
  'items',
  'configuration_version',
  'member_tier',
] as const;

export type PurchaseColumn = (typeof PURCHASE_COLUMNS)[number];

export const REQUIRED_COLUMNS: readonly string[] = PURCHASE_COLUMNS.slice(0, 3);

/** The cells of one row by column name. An empty cell, or one whose column the file lacks, counts as absent. */
export type PurchaseRow = Partial<Record<PurchaseColumn, string>>;
