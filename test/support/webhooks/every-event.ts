import { forkEnvironment } from '../../../src/admin/fork-environment.ts';
import { publishProgram } from '../../../src/admin/programs/publish-program.ts';
import { operator } from '../../../src/admin/shared/admin-change.ts';
import { approveAdjustment } from '../../../src/commands/adjustments/approve-adjustment.ts';
import { rejectAdjustment } from '../../../src/commands/adjustments/reject-adjustment.ts';
import { requestAdjustment } from '../../../src/commands/adjustments/request-adjustment.ts';
import { reverseAdjustment } from '../../../src/commands/adjustments/reverse-adjustment.ts';
import { reverseExchange } from '../../../src/commands/exchange/reverse-exchange.ts';
import { settleExchange } from '../../../src/commands/exchange/settle-exchange.ts';
import { tagMember } from '../../../src/commands/members/label-members.ts';
import { setMemberStatus } from '../../../src/commands/members/set-member-status.ts';
import { settleProfile } from '../../../src/commands/members/settle-profile.ts';
import { updateMember } from '../../../src/commands/members/update-member.ts';
import { commitRedemption } from '../../../src/commands/redemptions/commit-redemption.ts';
import { openDispute } from '../../../src/commands/redemptions/open-dispute.ts';
import { quoteRedemption } from '../../../src/commands/redemptions/quote-redemption.ts';
import { rejectDispute } from '../../../src/commands/redemptions/reject-dispute.ts';
import { releaseRedemption } from '../../../src/commands/redemptions/release-redemption.ts';
import { reserveRedemption } from '../../../src/commands/redemptions/reserve-redemption.ts';
import { resolveDispute } from '../../../src/commands/redemptions/resolve-dispute.ts';
import { reverseRedemption } from '../../../src/commands/redemptions/reverse-redemption.ts';
import { updateFulfillment } from '../../../src/commands/redemptions/update-fulfillment.ts';
import { recordReturn } from '../../../src/commands/returns/record-return.ts';
import type { Caller } from '../../../src/commands/shared/caller.ts';
import { createPrisma } from '../../../src/db/prisma.ts';
import { eraseMember } from '../../../src/erasure/erase-member.ts';
import { fromTypeId, newUuid } from '../../../src/ids.ts';
import { startImportOperation } from '../../../src/import/import-operation.ts';
import { FailurePause } from '../../../src/jobs/failure-pause.ts';
import { noticeExpiries } from '../../../src/jobs/notice-expiries.ts';
import { eventData } from '../../../src/ledger/batch/event-record.ts';
import type { Writer } from '../../../src/ledger/batch/writer.ts';
import type { Command, EventData } from '../../../src/ledger/command.ts';
import type { EventRecord } from '../../../src/ledger/tables/events.ts';
import { ResourceOwners } from '../../../src/queries/shared/resource-owners.ts';
import { isRefusal, type Refusal } from '../../../src/refusal.ts';
import { perks } from '../commands/engagement.ts';
import type { Counter, Shop } from '../ledger/counter.ts';
import { requestedMerge, requestedUnmerge } from '../ledger/merges.ts';
import { program, tier } from '../rules/fixtures.ts';
import type { TimeMachine } from '../time-machine.ts';

/** An operation that was run, with the events that it has sent. */
export interface SendingOperation {
  /** Such as `commitRedemption`. */
  operation: string;
  /** The types of the events that it should send, in their order. */
  sends: readonly string[];
  /** What it has sent, as receivers get it. */
  sent: readonly { type: string; data: EventData }[];
}

const DAY_MS = 86_400_000;
const programId = 'coffee-club';

/**
 * 100 points make a member silver, who may choose. Points expire after 30 days, and a mug costs 50. One purchase of one
 * minor unit reaches the cap of a campaign.
 */
const document = program({
  tiers: [tier('bronze', 0, 1), tier('silver', 100, 1)],
  choiceSets: [{ ...perks, grantedByTiers: ['silver'] }],
  expiration: { policy: 'rolling_days', days: 30 },
  expiryNoticeDays: 7,
  campaigns: [
    {
      ...{ id: 'rainy-days', match: 'all' },
      conditions: [{ field: 'purchase.amountMinor', operator: 'equals', value: 1 }],
      ...{ award: { bonusPoints: 10 }, caps: { totalPoints: 10 } },
    },
  ],
  rewards: [{ id: 'mug', name: 'A mug', points: 50, holdSeconds: 3600 }],
});

/** Runs every operation that sends events of a type, on a real writer, in an environment of its own. */
export async function everySendingOperation(
  counter: Counter,
  writer: Writer,
  time: TimeMachine,
): Promise<SendingOperation[]> {
  const shop = await counter.environment(document);
  const history = new EventHistory(counter, shop, writer);
  await history.members();
  await history.redemptions();
  await history.adjustments();
  await history.exchanges();
  await history.environment();
  await history.time(time);
  return history.done;
}

class EventHistory {
  readonly done: SendingOperation[] = [];
  readonly #counter: Counter;
  readonly #shop: Shop;
  readonly #writer: Writer;
  #seenCount = 0;

  constructor(counter: Counter, shop: Shop, writer: Writer) {
    this.#counter = counter;
    this.#shop = shop;
    this.#writer = writer;
  }

  async members(): Promise<void> {
    const shop = this.#shop;
    await this.#step('createMember', ['member.created'], shop.createMember('ann'));
    const answer = { consentStatus: 'opted_in', noticeVersion: 'v2', evidence: { source: 'app' } } as const;
    const changed = updateMember(
      { idempotencyKey: newUuid(), externalCustomerId: 'ann', displayName: 'Ann', ...answer },
      shop.caller,
    );
    await this.#step('updateMember', ['member.updated', 'member.consent_changed'], changed);
    const suspended = setMemberStatus('ann', 'suspended', shop.caller);
    await this.#step('member suspend', ['member.suspended'], suspended);
    await this.#step('member resume', ['member.updated'], setMemberStatus('ann', 'active', shop.caller));
    const tagged = { idempotencyKey: newUuid(), externalCustomerId: 'ann', tag: 'vip' };
    await this.#step('tagMember', ['member.updated'], tagMember(tagged, true, shop.caller));
    await this.#step('enrollMember', ['member.enrolled'], shop.enroll('ann'));
    const purchase = shop.earn('ann', { amountMinor: 50_000, sourceReference: 'order-1' });
    await this.#step('purchaseEarn', ['points.earned', 'tier.changed', 'choice.granted'], purchase);
    await this.#returned('order-1', 10_000);
    const capped = shop.earn('ann', { amountMinor: 1, sourceReference: 'order-2' });
    const reached = ['points.earned', 'campaign.cap_reached', 'campaign.cap_reached'];
    await this.#step('purchaseEarn', reached, capped);
    await this.#returned('order-2', 1);
    await this.#step('createMember', ['member.created'], shop.createMember('bob'));
    await this.#step('enrollMember', ['member.enrolled'], shop.enroll('bob'));
    await this.#step('unenrollMember', ['member.unenrolled'], shop.unenroll('bob'));
  }

  async redemptions(): Promise<void> {
    const { caller } = this.#shop;
    const first = await this.#reserved();
    const released = { ...first.input, reason: 'changed mind' };
    const release = releaseRedemption(released, first.resource, caller);
    await this.#step('releaseRedemption', ['redemption.released'], release);
    const { input, resource } = await this.#committed();
    const shipped = updateFulfillment({ ...input, status: 'shipped' }, resource, caller);
    await this.#step('updateFulfillment', ['redemption.fulfillment_updated'], shipped);
    for (const [operation, type, close] of [
      ['rejectDispute', 'redemption.dispute_rejected', rejectDispute],
      ['resolveDispute', 'redemption.dispute_resolved', resolveDispute],
    ] as const) {
      const opening = openDispute({ ...this.#again(input), reason: 'cold' }, resource, caller);
      const { dispute } = await this.#step('openDispute', ['redemption.dispute_opened'], opening);
      const closing = { ...this.#again(input), disputeId: dispute?.id ?? '', reason: 'so', resolution: 'so' };
      await this.#step(operation, [type], close(closing, resource, caller));
    }
    const reversal = reverseRedemption({ ...this.#again(input), reason: 'cancelled' }, resource, caller);
    await this.#step('reverseRedemption', ['redemption.reversed'], reversal);
  }

  async adjustments(): Promise<void> {
    const approver: Caller = { ...this.#shop.caller, actor: { type: 'api_key', id: 'approver' } };
    const decide = async (
      id: string,
      by: typeof approveAdjustment,
    ): Promise<ReturnType<typeof approveAdjustment>> => {
      const resource = { kind: 'adjustment', id: fromTypeId('adj', id) ?? '' } as const;
      const owner = await this.#owners.find(this.#shop.id, resource);
      const input = { idempotencyKey: newUuid(), adjustmentId: id, reason: 'checked' };
      return by(input, owner && { ...owner, id: resource.id }, approver);
    };
    const one = await this.#requested();
    await this.#step('rejectAdjustment', ['adjustment.rejected'], await decide(one, rejectAdjustment));
    const two = await this.#requested();
    await this.#step('approveAdjustment', ['adjustment.posted'], await decide(two, approveAdjustment));
    await this.#step('reverseAdjustment', ['adjustment.reversed'], await decide(two, reverseAdjustment));
  }

  async exchanges(): Promise<void> {
    const { caller } = this.#shop;
    const about = { programId, externalCustomerId: 'ann', partnerId: 'airline', points: 30 };
    const came = { ...about, idempotencyKey: 's-1', settlementReference: 's-1', direction: 'in' } as const;
    const settled = settleExchange(came, caller);
    await this.#step('settleExchange', ['points.earned', 'exchange.settled'], settled);
    const back = { ...about, idempotencyKey: 's-2', settlementReference: 's-2', reverses: 's-1' };
    await this.#step('reverseExchange', ['exchange.reversed'], reverseExchange(back, caller));
  }

  /** What the command line does. */
  async environment(): Promise<void> {
    const administrator = { prisma: createPrisma(this.#counter.database.adminPool), actor: operator('eve') };
    const environmentId = this.#shop.id;
    const changed = { ...document, name: 'Another name' };
    await publishProgram(administrator, { environmentId, document: changed, effectiveFrom: null });
    await this.#note('program publish', ['program.published']);
    await forkEnvironment(administrator, environmentId);
    await this.#note('env fork', ['feed.epoch_started']);
    const none = { done: 0, committed: 0, replayed: 0, rejected: 0, membersCreated: 0 };
    const operation = await startImportOperation(
      this.#pool,
      administrator,
      environmentId,
      'purchases',
      0,
      {},
    );
    await operation.succeed({ ...none, committedPoints: 0n, replayedPoints: 0n });
    await this.#note('import purchases', ['import.completed']);
    await this.#step('createMember', ['member.created'], this.#shop.createMember('cyd'));
    const merge = await requestedMerge(this.#writer, this.#shop, 'cyd', 'ann');
    await this.#step('approveMemberMerge', ['member.merged'], merge);
    const unmerge = await requestedUnmerge(this.#writer, this.#shop, 'cyd', 'ann');
    await this.#step('approveMemberUnmerge', ['member.unmerged'], unmerge);
    const eraser = { administrator, pool: this.#pool, door: this.#writer };
    const request = { environmentId, externalCustomerId: 'bob', reason: 'asked', forfeit: false };
    await eraseMember(eraser, request);
    await this.#note('member erase', ['member.erased']);
    await administrator.prisma.$disconnect();
  }

  async time(machine: TimeMachine): Promise<void> {
    const profile = {
      environmentId: this.#shop.id,
      programId,
      externalCustomerId: 'ann',
      requestId: 'op_run',
    };
    await this.#reserved();
    await machine.travel(2 * 3_600_000);
    await this.#step('settleProfile', ['redemption.expired'], settleProfile(profile));
    await machine.travel(25 * DAY_MS);
    await noticeExpiries({
      pool: this.#pool,
      door: this.#writer,
      failures: new FailurePause(),
      signal: new AbortController().signal,
      onFailed(error) {
        throw error;
      },
    });
    await this.#note('noticeExpiry', ['points.expiring']);
    await machine.travel(5 * DAY_MS);
    await this.#step('settleProfile', ['points.expired'], settleProfile(profile));
    await this.#step('purchaseEarn', ['points.earned'], this.#shop.earn('ann', { amountMinor: 1_000 }));
  }

  get #pool() {
    return this.#counter.database.adminPool;
  }

  get #owners() {
    return new ResourceOwners({ of: () => this.#pool });
  }

  #again<I extends object>(input: I): I & { idempotencyKey: string } {
    return { ...input, idempotencyKey: newUuid() };
  }

  async #returned(sourceReference: string, returnAmountMinor: number): Promise<void> {
    const { caller, id } = this.#shop;
    const owner = await this.#owners.find(id, { kind: 'order', sourceReference });
    const input = this.#again({
      sourceReference,
      returnReference: `return-${sourceReference}`,
      returnAmountMinor,
    });
    await this.#step('recordReturn', ['points.clawed_back'], recordReturn(input, owner, caller));
  }

  /** A reservation of ann's, with the input that names it and its owner. */
  async #reserved() {
    const { caller, id: environmentId } = this.#shop;
    const request = { programId, externalCustomerId: 'ann', sourceReference: 'checkout', rewardId: 'mug' };
    const { quote } = await this.#step('quoteRedemption', [], quoteRedemption(this.#again(request), caller));
    const quoteId = quote?.id ?? '';
    const id = fromTypeId('quo', quoteId) ?? '';
    const owner = await this.#owners.find(environmentId, { kind: 'quote', id });
    const reserve = reserveRedemption(this.#again({ quoteId }), owner && { ...owner, id }, caller);
    const { reservation } = await this.#step('reserveRedemption', ['redemption.reserved'], reserve);
    const reservationId = reservation?.id ?? '';
    const resource = owner && { ...owner, id: fromTypeId('rsv', reservationId) ?? '' };
    return { input: this.#again({ reservationId }), resource };
  }

  async #committed() {
    const { input, resource } = await this.#reserved();
    const authorized = { ...input, authorizationReference: 'auth-1' };
    const commit = commitRedemption(authorized, resource, this.#shop.caller);
    await this.#step('commitRedemption', ['redemption.committed'], commit);
    return { input, resource };
  }

  async #requested(): Promise<string> {
    const input = {
      programId,
      externalCustomerId: 'ann',
      direction: 'credit' as const,
      points: 10,
      reason: 'sorry',
      evidence: { ticket: 1 },
    };
    const command = requestAdjustment(this.#again(input), this.#shop.caller);
    const { adjustment } = await this.#step('requestAdjustment', ['adjustment.requested'], command);
    return adjustment?.id ?? '';
  }

  /** @returns the receipt, whose parts have ids */
  async #step(
    operation: string,
    sends: readonly string[],
    command: Command | Refusal,
  ): Promise<Record<string, { id: string } | undefined>> {
    const outcome = isRefusal(command) ? command : await this.#writer.submit(command);
    if (isRefusal(outcome)) throw new Error(`${operation}: ${outcome.code}`);
    await this.#note(operation, sends);
    return outcome.receipt as Record<string, { id: string } | undefined>;
  }

  /** Notes an operation that has ended, with the events that are new. */
  async #note(operation: string, sends: readonly string[]): Promise<void> {
    const { rows } = await this.#pool.query<EventRecord & { customer: string | null }>(
      `select e.id, e.type, e.program_id as "programId", e.member_id as "memberId", e.data, e.at, m.external_customer_id as customer
       from events e
       left join members m on m.environment_id = e.environment_id and m.id = e.member_id
       where e.environment_id = $1 order by e.written_at, e.id offset $2`,
      [this.#shop.id, this.#seenCount],
    );
    this.#seenCount += rows.length;
    const sent = rows.map((row) => ({ type: row.type, data: eventData(row, row.customer) }));
    this.done.push({ operation, sends, sent });
  }
}
