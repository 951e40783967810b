import type { IdPrefix } from '../../ids.ts';
import { receiptSql, templateSql } from '../../ledger/receipts/stored-receipt.ts';

/** A table with rows about one member, and how they are found. */
export interface Section {
  /** The property of the export. */
  name: string;
  table: string;
  /** Columns with ids, by the prefix that the API shows them with. Other UUIDs stay as they are. */
  ids: Readonly<Record<string, IdPrefix>>;
  /**
   * Selects the rows, oldest first where they have a time. `$1` is the environment, `$2` the id of the member. A row with
   * `of_another_order` is about the order of another member: it is shown without the references of that order.
   */
  query: string;
}

/** SQL: whether the member has no order of this reference. Rewards for a referral name the order of the referred member. */
const isOrderOfAnother = (reference: string): string =>
  `not exists (
        select from orders o where o.environment_id = $1::uuid and o.source_reference = ${reference} and o.member_id = $2::uuid
      )`;

const ofMember = { member_id: 'mem' } as const;

/** Every table that holds something about a member. */
export const SECTIONS: readonly Section[] = [
  {
    name: 'member',
    table: 'members',
    ids: { id: 'mem', merged_into: 'mem' },
    query: `select m.* from members m where m.environment_id = $1::uuid and m.id = $2::uuid`,
  },
  {
    name: 'consentRecords',
    table: 'consent_records',
    ids: { id: 'con', ...ofMember },
    query: `select c.* from consent_records c
      where c.environment_id = $1::uuid and c.member_id = $2::uuid order by c.at, c.id`,
  },
  {
    name: 'profiles',
    table: 'program_profiles',
    ids: { ...ofMember, referred_by: 'mem' },
    query: `select p.* from program_profiles p
      where p.environment_id = $1::uuid and p.member_id = $2::uuid order by p.program_id`,
  },
  {
    name: 'transactions',
    table: 'transactions',
    ids: { id: 'txn', ...ofMember, reversal_of: 'txn', reversed_by: 'txn' },
    query: `select t.*, ${receiptSql('t')} as receipt, t.event_type in ('referral.awarded', 'order.returned') and ${isOrderOfAnother('t.source_reference')}
        as of_another_order
      from transactions t
      ${templateSql('t')}
      where t.environment_id = $1::uuid and t.member_id = $2::uuid order by t.created_at, t.id`,
  },
  {
    name: 'postings',
    table: 'postings',
    ids: { transaction_id: 'txn', ...ofMember, lot_id: 'lot' },
    query: `select p.* from transactions t
      join postings p on p.environment_id = $1::uuid and p.transaction_id = t.id
      where t.environment_id = $1::uuid and t.member_id = $2::uuid order by t.created_at, t.id, p.line`,
  },
  {
    name: 'lots',
    table: 'lots',
    ids: { id: 'lot', ...ofMember, transaction_id: 'txn' },
    query: `select l.* from lots l
      where l.environment_id = $1::uuid and l.member_id = $2::uuid order by l.created_at, l.id`,
  },
  {
    name: 'lotExpiryChanges',
    table: 'lot_expiry_changes',
    ids: { ...ofMember, lot_id: 'lot' },
    query: `select c.* from lot_expiry_changes c
      where c.environment_id = $1::uuid and c.member_id = $2::uuid order by c.changed_at, c.lot_id`,
  },
  {
    name: 'expiryNotices',
    table: 'expiry_notices',
    ids: { ...ofMember, lot_id: 'lot' },
    query: `select n.* from expiry_notices n
      where n.environment_id = $1::uuid and n.member_id = $2::uuid order by n.noticed_at, n.lot_id`,
  },
  {
    name: 'exchangeSettlements',
    table: 'exchange_settlements',
    ids: { ...ofMember, transaction_id: 'txn' },
    query: `select s.* from transactions t
      join exchange_settlements s on s.environment_id = $1::uuid and s.settlement_reference = t.source_reference
        and s.transaction_id = t.id
      where t.environment_id = $1::uuid and t.member_id = $2::uuid order by t.created_at, t.id`,
  },
  {
    name: 'orders',
    table: 'orders',
    ids: { ...ofMember, transaction_id: 'txn' },
    query: `select o.* from transactions t
      join orders o on o.environment_id = $1::uuid and o.source_reference = t.source_reference
        and o.transaction_id = t.id
      where t.environment_id = $1::uuid and t.member_id = $2::uuid order by t.created_at, t.id`,
  },
  {
    name: 'returns',
    table: 'returns',
    ids: { transaction_id: 'txn' },
    query: `select r.* from transactions t
      join orders o on o.environment_id = $1::uuid and o.source_reference = t.source_reference
        and o.transaction_id = t.id
      join returns r on r.environment_id = $1::uuid and r.source_reference = o.source_reference
      where t.environment_id = $1::uuid and t.member_id = $2::uuid order by r.created_at, r.return_reference`,
  },
  {
    name: 'quotes',
    table: 'redemption_quotes',
    ids: { id: 'quo', ...ofMember },
    query: `select q.* from redemption_quotes q
      where q.environment_id = $1::uuid and q.member_id = $2::uuid order by q.created_at, q.id`,
  },
  {
    name: 'reservations',
    table: 'redemption_reservations',
    ids: {
      id: 'rsv',
      ...ofMember,
      quote_id: 'quo',
      reserve_transaction_id: 'txn',
      commit_transaction_id: 'txn',
      transaction_id: 'txn',
    },
    query: `select r.* from redemption_reservations r
      where r.environment_id = $1::uuid and r.member_id = $2::uuid order by r.reserved_at, r.id`,
  },
  {
    name: 'disputes',
    table: 'redemption_disputes',
    ids: { id: 'dsp', reservation_id: 'rsv' },
    query: `select d.* from redemption_reservations r
      join redemption_disputes d on d.environment_id = $1::uuid and d.reservation_id = r.id
      where r.environment_id = $1::uuid and r.member_id = $2::uuid order by d.opened_at, d.id`,
  },
  {
    name: 'adjustments',
    table: 'adjustments',
    ids: { id: 'adj', ...ofMember, transaction_id: 'txn', reversal_transaction_id: 'txn' },
    query: `select a.* from adjustments a
      where a.environment_id = $1::uuid and a.member_id = $2::uuid order by a.requested_at, a.id`,
  },
  {
    name: 'merges',
    table: 'member_merges',
    ids: { id: 'mrg', source_member_id: 'mem', target_member_id: 'mem' },
    // One between two accounts of the person is listed with the account that has ended.
    query: `select g.* from member_merges g
      where g.environment_id = $1::uuid and (g.source_member_id = $2::uuid
        or (g.target_member_id = $2::uuid and g.state not in ('merged', 'unmerge_requested')))
      order by g.requested_at, g.id`,
  },
  {
    name: 'customEvents',
    table: 'custom_events',
    ids: { id: 'evt', ...ofMember },
    query: `select e.* from custom_events e
      where e.environment_id = $1::uuid and e.member_id = $2::uuid order by e.received_at, e.id`,
  },
  {
    name: 'challengeProgress',
    table: 'challenge_progress',
    ids: ofMember,
    query: `select c.* from challenge_progress c
      where c.environment_id = $1::uuid and c.member_id = $2::uuid
      order by c.program_id, c.challenge_id, c.window_start`,
  },
  {
    name: 'choiceGrants',
    table: 'choice_grants',
    ids: ofMember,
    query: `select g.* from choice_grants g
      where g.environment_id = $1::uuid and g.member_id = $2::uuid order by g.granted_at, g.id`,
  },
  {
    name: 'choiceClaims',
    table: 'choice_claims',
    ids: { id: 'chc', ...ofMember },
    query: `select c.* from choice_claims c
      where c.environment_id = $1::uuid and c.member_id = $2::uuid order by c.claimed_at, c.id`,
  },
  {
    name: 'campaignAwards',
    table: 'campaign_awards',
    ids: { ...ofMember, transaction_id: 'txn' },
    query: `select c.* from transactions t
      join campaign_awards c on c.environment_id = $1::uuid and c.transaction_id = t.id
      where t.environment_id = $1::uuid and t.member_id = $2::uuid order by c.transaction_id, c.campaign_id`,
  },
  {
    name: 'couponCodes',
    table: 'coupon_codes',
    ids: { assigned_to: 'mem' },
    query: `select c.* from coupon_codes c
      where c.environment_id = $1::uuid and c.assigned_to = $2::uuid order by c.created_at, c.program_id, c.code_hash`,
  },
  {
    name: 'couponRedemptions',
    table: 'coupon_redemptions',
    ids: { ...ofMember, transaction_id: 'txn' },
    query: `select c.* from transactions t
      join coupon_redemptions c on c.environment_id = $1::uuid and c.transaction_id = t.id
      where t.environment_id = $1::uuid and t.member_id = $2::uuid order by t.created_at, t.id`,
  },
  {
    name: 'limitCounters',
    table: 'limit_counters',
    ids: ofMember,
    query: `select l.* from limit_counters l
      where l.environment_id = $1::uuid and l.member_id = $2::uuid
      order by l.program_id, l.limit_id, l.period_start`,
  },
  {
    name: 'events',
    table: 'events',
    ids: ofMember,
    query: `select e.*, case
          when e.type = 'points.clawed_back' then ${isOrderOfAnother("e.data ->> 'orderReference'")}
          when e.data ->> 'eventType' = 'referral.awarded' then ${isOrderOfAnother("e.data ->> 'sourceReference'")}
          else false
        end as of_another_order
      from events e
      where e.environment_id = $1::uuid and e.member_id = $2::uuid order by e.written_at, e.id`,
  },
  {
    name: 'deliveries',
    table: 'webhook_deliveries',
    ids: { id: 'msg', endpoint_id: 'we' },
    query: `select d.* from events e
      join webhook_deliveries d on d.environment_id = $1::uuid and d.event_id = e.id
      where e.environment_id = $1::uuid and e.member_id = $2::uuid order by d.created_at, d.id`,
  },
];

/** Tables without a column of the member: their rows are found by the ids that they name (`person-records.ts`). */
export const FOUND_BY_IDS: readonly string[] = ['audit_events', 'idempotency_keys'];

/** The other tables, each with the reason why a member's export has nothing of it. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  member_days: 'sums of the postings, which are there',
  webhook_attempts: "answers of the merchant's servers, which are not about the member",
  audit_seals: 'hashes of audit events',
  merge_undos: 'rows of before a merge, as their tables had them: the balances follow from the postings',
  erased_references: 'hashes of references of erased members',
  audit_heads: 'hashes of audit events',
  ledger_days: 'sums over all members',
  ledger_rollups: 'of the environment',
  ledger_verifications: 'of the environment',
  retention_positions: 'of the environment',
  event_positions: 'of the environment',
  feed_epochs: 'of the environment',
  environments: 'of the merchant',
  tenants: 'of the merchant',
  api_keys: 'of the merchant',
  programs: 'of the merchant',
  program_versions: 'of the merchant',
  finance_approvals: 'of the merchant',
  receipt_templates: 'what the receipts of many members have in common, and nothing of theirs',
  shared_counters: 'sums over all members',
  reward_stocks: 'sums over all members',
  webhook_endpoints: 'of the merchant',
  webhook_leases: 'of the merchant',
  token_issuers: 'of the merchant',
  widget_deployments: 'of the merchant',
  widget_deployment_versions: 'of the merchant',
  operations: 'counts and options, neither ids of customers nor names',
};
