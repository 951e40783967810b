import type { Cells, FileColumns } from './import-rows.ts';

const COLUMNS = [
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

export type PurchaseColumn = (typeof COLUMNS)[number];

export const PURCHASE_FILE: FileColumns<PurchaseColumn> = {
  columns: COLUMNS,
  required: COLUMNS.slice(0, 3),
  reference: 'source_reference',
};

export type PurchaseRow = Cells<PurchaseColumn>;
