import {
  bringToPresent,
  emptyTable,
  hasRowsLeft,
} from '../../../src/admin/environments/reset-environment.ts';
import { DELIVERIES, ERASED_TABLES } from '../../../src/erasure/erased-tables.ts';
import {
  FIRST_ID,
  forgetReferralCodes,
  forgetResponses,
  lockRows,
  nextTransactions,
  ordersOf,
  ownOrders,
  pageOf,
  pageOfEvents,
  renameOrders,
  renameReturns,
  renameSettlements,
  renameTransactions,
  rewardsOfOthers,
  transactionsBeside,
  updateOrderLines,
  updateReceipts,
  updateRows,
} from '../../../src/erasure/erasure-statements.ts';
import {
  consentTimes,
  ownOf,
  pageOfKeys,
  renameKey,
  updateKeys,
} from '../../../src/erasure/key-statements.ts';
import {
  insertErasedReferences,
  makeReferenceSecret,
  referenceSecret,
} from '../../../src/erasure/used-references.ts';
import { emptyChunk } from '../../../src/jobs/empty-payloads.ts';
import { removeChunk } from '../../../src/jobs/remove-quotes.ts';
import { readEpoch } from '../../../src/ledger/feed-epochs.ts';
import { TABLE_LIST } from '../../../src/ledger/tables/all-tables.ts';
import { findErasedReferences } from '../../../src/ledger/tables/erased-references.ts';
import { listAdjustments } from '../../../src/queries/adjustments.ts';
import { lastLookedThrough, listAuditEvents } from '../../../src/queries/audit/audit-event-statements.ts';
import { listActivity } from '../../../src/queries/customers/activity.ts';
import { findSettledSurfaces, findSurfaces } from '../../../src/queries/customers/surface-reader.ts';
import { readEvents } from '../../../src/queries/events-feed.ts';
import { listMembers } from '../../../src/queries/member-list.ts';
import { listMemberMerges } from '../../../src/queries/member-merges.ts';
import { listOperations } from '../../../src/queries/operations.ts';
import { listRedemptions } from '../../../src/queries/redemption-list.ts';
import { findMemberDetails } from '../../../src/queries/shared/member-details.ts';
import {
  findTransaction,
  listTransactions,
} from '../../../src/queries/transactions/transaction-statements.ts';
import { listDeliveries, readEndpointOverviews } from '../../../src/queries/webhooks.ts';
import { readWaiting } from '../../../src/webhooks/delivery-statements.ts';

/**
 * Calls every function whose statement depends on its arguments, with all of the arguments that make a difference.
 * @param environmentId the environment that the statements are for
 */
export function buildStatements(environmentId: string): void {
  emptyTable(environmentId, { name: 'postings', ownReferences: [], ownKeys: [] }, 5_000);
  const ownReferences = ['r.environment_id = t.environment_id and r.merged_into = t.id'];
  emptyTable(environmentId, { name: 'members', ownReferences, ownKeys: ['environment_id', 'id'] }, 5_000);
  hasRowsLeft(environmentId, { name: 'postings' });
  bringToPresent(environmentId, new Date());
  for (const [, table] of TABLE_LIST) {
    table.insert(environmentId, []);
    if (table.insertedWith) table.insertWith(environmentId, []);
    if (table.writes !== 'inserted') table.update(environmentId, []);
  }
  for (const receipts of [true, false]) findTransaction(environmentId, '', receipts);
  for (const pass of ['emptied', 'cleared'] as const) emptyChunk(environmentId, pass, 30);
  removeChunk(environmentId, 90);
  for (const readsIdentity of [true, false]) readEpoch(environmentId, readsIdentity);
  for (const testsOnly of [true, false]) {
    readWaiting({ environmentId, endpointId: environmentId }, [], testsOnly, 1);
  }
  for (const endpoint of [null, environmentId])
    for (const status of [null, 'pending', 'delivered', 'failed', 'dead_letter'] as const)
      listDeliveries(environmentId, { endpoint, eventType: null, status }, null, 10);
  // Only the text is wanted.
  void readEndpointOverviews({ query: async () => ({ rows: [] }) as never }, environmentId);
  for (const types of [null, ['points.earned']]) readEvents(environmentId, types, 0, 10);
  findSurfaces(environmentId, []);
  findSettledSurfaces(environmentId, []);
  findMemberDetails(environmentId, 'ann');
  buildLists(environmentId);
  buildFilteredLists(environmentId);
  buildAuditLists(environmentId);
  buildErasure(environmentId);
}

function buildErasure(environmentId: string): void {
  const member = { environmentId, memberId: FIRST_ID, externalCustomerId: 'ann' };
  const after = { id: FIRST_ID, at: '-infinity', operation: '', key: '' };
  for (const table of ERASED_TABLES) {
    pageOf(table, member, FIRST_ID);
    lockRows(table, environmentId, []);
    updateRows(table, environmentId, []);
  }
  pageOf(DELIVERIES, member, FIRST_ID);
  pageOfEvents(member, FIRST_ID, []);
  pageOfKeys(member, after, []);
  for (const about of [consentTimes, forgetReferralCodes, rewardsOfOthers]) about(member);
  for (const named of [ownOf, ownOrders, transactionsBeside]) named(member, []);
  nextTransactions(member, after);
  ordersOf(environmentId, []);
  renameTransactions(environmentId, [], [], []);
  renameKey(member, '', { old: '', new: '' });
  for (const changed of [
    renameOrders,
    renameReturns,
    renameSettlements,
    updateKeys,
    updateOrderLines,
    updateReceipts,
  ]) {
    changed(environmentId, []);
  }
  forgetResponses(environmentId, []);
  makeReferenceSecret(environmentId, Buffer.alloc(32));
  referenceSecret(environmentId);
  insertErasedReferences(environmentId, []);
  findErasedReferences(environmentId, []);
}

function buildAuditLists(environmentId: string): void {
  const nothing = { targetType: null, from: null, to: null };
  for (const action of [null, 'member.created'])
    for (const targetId of [null, 'mem', 'txn_01jz8k2v9xe6tr8p2w4y6z8abc'])
      for (const after of [null, { at: '', id: '' }]) {
        const criteria = { ...nothing, action, targetId, actorId: action };
        listAuditEvents(environmentId, criteria, after, 10);
        lastLookedThrough(environmentId, criteria, after);
      }
  for (const type of [null, 'import'] as const)
    for (const status of [null, 'succeeded', 'failed'] as const)
      for (const after of [null, ['', '']]) listOperations(environmentId, { type, status }, after, 10);
}

function buildFilteredLists(environmentId: string): void {
  for (const programId of [null, 'club'])
    for (const after of [null, ['', '']]) {
      for (const externalCustomerId of [null, 'ann'])
        for (const state of [null, 'requested', 'expired', 'posted'] as const)
          listAdjustments(environmentId, { state, externalCustomerId, programId }, after, 10);
      for (const state of [
        null,
        'requested',
        'merged',
        'rejected',
        'expired',
        'unmerge_requested',
        'unmerged',
      ] as const)
        listMemberMerges(environmentId, { state }, after, 10);
      for (const externalCustomerId of [null, 'ann'])
        for (const state of [null, 'reserved', 'expired', 'committed', 'reversed'] as const)
          for (const fulfillmentStatus of [null, 'none', 'pending', 'delivered'] as const)
            for (const disputeState of [null, 'open'] as const) {
              const criteria = { externalCustomerId, state, fulfillmentStatus, disputeState, programId };
              listRedemptions(environmentId, { ...criteria, rewardId: programId }, after, 10);
            }
      for (const prefix of [null, 'a'])
        for (const namePrefix of [null, 'a'])
          for (const tag of [null, 'vip'])
            for (const tier of [null, 'gold'])
              for (const status of [null, 'active', 'suspended'] as const) {
                const prefixes = { externalCustomerIdPrefix: prefix, displayNamePrefix: namePrefix };
                const criteria = { ...prefixes, tag, list: tag, programId, tier, status };
                if (tier === null || programId !== null) listMembers(environmentId, criteria, after, 10);
              }
    }
}

function buildLists(environmentId: string): void {
  for (const programId of [null, 'club'])
    for (const after of [null, ['', '']])
      listActivity(environmentId, { externalCustomerId: 'ann', programId }, after, 10);
  const position = { at: '', id: '' };
  const instant = new Date(0);
  for (const sourceReference of [null, 'order'])
    for (const programId of [null, 'club'])
      for (const externalCustomerId of [null, 'ann'])
        for (const eventType of [null, 'purchase.completed', 'order.returned'])
          for (const state of [null, 'committed', 'reversed'] as const)
            for (const from of [null, instant])
              for (const after of [null, position]) {
                const criteria = {
                  sourceReference,
                  programId,
                  externalCustomerId,
                  eventType,
                  state,
                  from,
                  to: from,
                };
                listTransactions(environmentId, criteria, after, 10, after === null);
              }
}
