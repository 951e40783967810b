import type { Pool } from 'pg';
import type { CampaignAward, PurchaseEvaluation } from '../../contract/generated/types.ts';
import type { Receipt } from '../../contract/receipt.ts';
import { receiptSql, templateSql, wholeReceipt } from '../../ledger/receipts/stored-receipt.ts';
import type { EventType } from '../../ledger/tables/transactions.ts';
import type { ProgramDocument } from '../../programs/document/program-document.ts';
import type { CouponUse, PoolCode } from '../../rules/compiled/coupons.ts';
import type { MemberFacts } from '../../rules/conditions/member-facts.ts';
import type { ItemFacts, ProfileFacts } from '../../rules/conditions/purchase-facts.ts';
import type { CapUse } from '../../rules/earning/campaigns.ts';
import type { ReferralFacts } from '../../rules/earning/referral.ts';
import type { RuleDecision } from '../../rules/shared/rule-decision.ts';

type FullReceipt = Required<Receipt<'purchaseEarn'>>;

/** The stored receipt of a purchase, with the evidence in it (src/commands/earning/purchase-receipt.ts). */
export interface PurchaseReceipt extends Omit<FullReceipt, keyof PurchaseEvaluation>, PurchaseEvaluation {
  campaigns: CampaignAward[];
  ruleDecisions: RuleDecision[];
  evidence: {
    amountMinor: number;
    channel: string;
    currency: string | null;
    /** RFC 3339. */
    occurredAt: string;
    attributes: Record<string, unknown> | null;
    profile: ProfileFacts & { limitUsed: number };
    /** Only where earning reads them. Dates are RFC 3339. */
    member?: Omit<MemberFacts, 'firstPurchaseAt' | 'lastPurchaseAt'> & {
      firstPurchaseAt: string | null;
      lastPurchaseAt: string | null;
    };
    /** Campaigns with caps that had given points before. */
    capsUsed?: (CapUse & { campaignId: string })[];
    /** Campaigns that were withheld from the member. */
    heldOut?: string[];
    /** Only where the coupon had been used before. */
    couponUsed?: CouponUse;
    /** Only where the coupon's code was found in a pool. */
    poolCode?: PoolCode;
    /** Only where the purchase had a referral code. */
    referral?: ReferralFacts;
  };
}

/** The items of a purchase as its order keeps them: with their points where the program earns by line. */
export type OrderLines = readonly (ItemFacts & { points?: number })[] | null | undefined;

/** A purchase as the tables have it: what it was evaluated from, and what it posted. */
export interface RecordedAward {
  /** UUIDs. */
  transactionId: string;
  environmentId: string;
  programId: string;
  externalCustomerId: string;
  sourceReference: string;
  /** The points in the transaction, in its postings of issuance, in its lots and in its order. */
  posted: { transaction: number; postings: number; lots: number; order: number };
  /** The order's; null where there is no order. */
  amountMinor: number | null;
  currency: string;
  lines: OrderLines;
  receipt: PurchaseReceipt;
  /** The document of the version that the receipt names; null where there is no such version. */
  document: ProgramDocument | null;
  /** Name of the document where it is an unpublished draft that was tried. */
  draftName?: string;
}

interface AwardRow {
  environment_id: string;
  event_type: EventType;
  program_id: string;
  external_customer_id: string;
  source_reference: string;
  points: number;
  receipt: PurchaseReceipt;
  posted: number;
  granted: number;
  order_points: number | null;
  amount_minor: number | null;
  currency: string | null;
  lines: OrderLines;
  document: ProgramDocument | null;
}

/**
 * Reads what an award was computed from.
 * @param id UUID of the transaction
 * @param environmentId UUID; null looks in every environment, in the order of their ids
 * @returns null where there is no such transaction; only its event type where it is not a purchase
 */
export async function readRecordedAward(
  pool: Pool,
  id: string,
  environmentId: string | null,
): Promise<RecordedAward | { eventType: EventType } | null> {
  const { rows } = await pool.query<AwardRow>({
    name: 'recorded_award',
    text: `select t.environment_id, t.event_type, t.program_id, m.external_customer_id, t.source_reference, t.points,
        ${receiptSql('t')} as receipt, o.points as order_points, o.amount_minor, o.currency, o.lines, v.document,
        (select coalesce(sum(amount), 0)::bigint from postings
          where environment_id = e.id and transaction_id = t.id and debit_account = 'program.issuance') as posted,
        (select coalesce(sum(granted), 0)::bigint from lots
          where environment_id = e.id and member_id = t.member_id and program_id = t.program_id
            and transaction_id = t.id) as granted
      from environments e
      cross join lateral (select * from transactions where environment_id = e.id and id = $1::uuid limit 1) t
      join members m on m.environment_id = e.id and m.id = t.member_id
      left join orders o on o.environment_id = e.id and o.transaction_id = t.id
        and o.source_reference = t.source_reference
      ${templateSql('t', 'e.id')}
      left join program_versions v on v.environment_id = e.id and v.program_id = t.program_id
        and v.version::text = t.receipt ->> 'configurationVersion'
      where $2::uuid is null or e.id = $2::uuid
      order by e.id`,
    values: [id, environmentId],
  });
  const row = rows[0];
  if (!row) return null;
  if (row.event_type !== 'purchase.completed') return { eventType: row.event_type };
  return {
    transactionId: id,
    environmentId: row.environment_id,
    programId: row.program_id,
    externalCustomerId: row.external_customer_id,
    sourceReference: row.source_reference,
    posted: {
      transaction: row.points,
      postings: row.posted,
      lots: row.granted,
      order: row.order_points ?? 0,
    },
    amountMinor: row.amount_minor,
    currency: row.currency ?? '',
    lines: row.lines,
    receipt: wholeReceipt(row.receipt, id) as PurchaseReceipt,
    document: row.document,
  };
}
