import type { Pool } from 'pg';
import { approveAdjustment } from '../../../../src/commands/adjustments/approve-adjustment.ts';
import { rejectAdjustment } from '../../../../src/commands/adjustments/reject-adjustment.ts';
import { requestAdjustment } from '../../../../src/commands/adjustments/request-adjustment.ts';
import { claimChoiceBenefit } from '../../../../src/commands/engagement/claim-choice-benefit.ts';
import { recordCustomEvent } from '../../../../src/commands/engagement/record-custom-event.ts';
import { settleProfile } from '../../../../src/commands/members/settle-profile.ts';
import { commitRedemption } from '../../../../src/commands/redemptions/commit-redemption.ts';
import { openDispute } from '../../../../src/commands/redemptions/open-dispute.ts';
import { quoteRedemption } from '../../../../src/commands/redemptions/quote-redemption.ts';
import { rejectDispute } from '../../../../src/commands/redemptions/reject-dispute.ts';
import { releaseRedemption } from '../../../../src/commands/redemptions/release-redemption.ts';
import { reserveRedemption } from '../../../../src/commands/redemptions/reserve-redemption.ts';
import { resolveDispute } from '../../../../src/commands/redemptions/resolve-dispute.ts';
import { recordReturn } from '../../../../src/commands/returns/record-return.ts';
import { fromTypeId } from '../../../../src/ids.ts';
import type { Writer } from '../../../../src/ledger/batch/writer.ts';
import type { Command } from '../../../../src/ledger/command.ts';
import type { OwnedResource } from '../../../../src/ledger/resource-owner.ts';
import { isRefusal } from '../../../../src/refusal.ts';
import { Sequencer } from '../../../../src/webhooks/sequencer.ts';
import { receiptOf } from '../../commands/desk.ts';
import { addEndpoint } from '../../webhooks/endpoints.ts';
import type { Shop } from '../counter.ts';

const programId = 'coffee-club';

/** A receipt of a redemption command, as far as later commands need it. */
interface RedemptionReceipt {
  quote: { id: string };
  reservation: { id: string };
  dispute: { id: string };
}

/** A reward that was quoted or reserved. */
export interface Held {
  id: string;
  owner: OwnedResource;
}

/**
 * One run of a race: it makes commands and prepares rows in an environment that many runs share. The names of its
 * members, rewards, references and keys begin with its prefix.
 */
export class Stage {
  readonly shop: Shop;
  /** The prefix of all names of this run. */
  readonly run: string;
  readonly #writer: Writer;
  readonly #pool: Pool;
  #keys = 0;

  /** @param pool of the database's owner */
  constructor(shop: Shop, run: string, writer: Writer, pool: Pool) {
    this.shop = shop;
    this.run = run;
    this.#writer = writer;
    this.#pool = pool;
  }

  /** Runs a command that has to succeed. */
  async done(command: Command): Promise<Record<string, unknown>> {
    return receiptOf(await this.#writer.submit(command));
  }

  /** Creates and enrolls members. */
  async members(...names: string[]): Promise<void> {
    const ids = names.map((name) => this.run + name);
    await Promise.all(ids.map((id) => this.done(this.shop.createMember(id, this.key()))));
    await Promise.all(ids.map((id) => this.done(this.shop.enroll(id, this.key()))));
  }

  earn(name: string, points: number, rest: Parameters<Shop['earn']>[1] = {}): Command {
    const idempotencyKey = this.key();
    return this.shop.earn(this.run + name, {
      idempotencyKey,
      amountMinor: points * 100,
      sourceReference: `${idempotencyKey}-order`,
      ...rest,
    });
  }

  event(
    name: string,
    type: string,
    attributes: Record<string, unknown> = {},
    sourceReference = `${this.key()}-event`,
  ): Command {
    const input = { idempotencyKey: this.key(), type, sourceReference, attributes };
    return recordCustomEvent({ ...input, externalCustomerId: this.run + name }, this.shop.caller);
  }

  claim(name: string, rewardId: string, sourceReference = `${this.key()}-claim`): Command {
    const input = { idempotencyKey: this.key(), choiceSetId: 'perks', rewardId, sourceReference };
    return claimChoiceBenefit({ ...input, externalCustomerId: this.run + name }, this.shop.caller);
  }

  /** Quotes a reward of the run. */
  async quote(name: string, reward: string, points: number): Promise<Held> {
    const [externalCustomerId, rewardId] = [this.run + name, this.run + reward];
    const sourceReference = `${this.key()}-checkout`;
    const input = { idempotencyKey: this.key(), programId, externalCustomerId, rewardId, sourceReference };
    const { quote } = (await this.done(
      quoteRedemption(input, this.shop.caller),
    )) as unknown as RedemptionReceipt;
    return {
      id: quote.id,
      owner: { id: uuid('quo', quote.id), programId, externalCustomerId, points, rewardId },
    };
  }

  reserve({ id, owner }: Held): Command {
    return reserveRedemption({ idempotencyKey: this.key(), quoteId: id }, owner, this.shop.caller);
  }

  /** Quotes and reserves a reward of the run. */
  async hold(name: string, reward: string, points: number): Promise<Held> {
    const quote = await this.quote(name, reward, points);
    const { reservation } = (await this.done(this.reserve(quote))) as unknown as RedemptionReceipt;
    return { id: reservation.id, owner: { ...quote.owner, id: uuid('rsv', reservation.id) } };
  }

  commit({ id, owner }: Held): Command {
    const input = { idempotencyKey: this.key(), reservationId: id, authorizationReference: 'auth-1' };
    return commitRedemption(input, owner, this.shop.caller);
  }

  release({ id, owner }: Held): Command {
    const input = { idempotencyKey: this.key(), reservationId: id, reason: 'cart abandoned' };
    return releaseRedemption(input, owner, this.shop.caller);
  }

  /** Opens a dispute. @returns its id */
  async dispute({ id, owner }: Held): Promise<string> {
    const input = { idempotencyKey: this.key(), reservationId: id, reason: 'never came' };
    const receipt = await this.done(openDispute(input, owner, this.shop.caller));
    return (receipt as unknown as RedemptionReceipt).dispute.id;
  }

  /** Resolves a dispute, and reverses the redemption. */
  resolve({ id, owner }: Held, disputeId: string): Command {
    const input = {
      idempotencyKey: this.key(),
      reservationId: id,
      disputeId,
      resolution: 'refunded',
      reverse: true,
    };
    return resolveDispute(input, owner, this.shop.caller);
  }

  reject({ id, owner }: Held, disputeId: string): Command {
    const input = { idempotencyKey: this.key(), reservationId: id, disputeId, reason: 'was handed over' };
    return rejectDispute(input, owner, this.shop.caller);
  }

  /** A return of a part of an order of this member. */
  return(name: string, sourceReference: string, returnAmountMinor: number): Command {
    const idempotencyKey = this.key();
    const input = { idempotencyKey, sourceReference, returnReference: idempotencyKey, returnAmountMinor };
    const owner = { programId, externalCustomerId: this.run + name, points: 0, rewardId: null };
    const command = recordReturn(input, owner, this.shop.caller);
    if (isRefusal(command)) throw new Error(command.code);
    return command;
  }

  /** Requests an adjustment, which others may decide on. */
  async adjustment(name: string, direction: 'credit' | 'debit', points: number): Promise<Held> {
    const externalCustomerId = this.run + name;
    const input = {
      programId,
      externalCustomerId,
      direction,
      points,
      reason: 'a correction',
      evidence: { a: 1 },
    };
    const receipt = await this.done(
      requestAdjustment({ ...input, idempotencyKey: this.key() }, this.#principal('clerk')),
    );
    const { id } = receipt.adjustment as { id: string };
    return { id, owner: { id: uuid('adj', id), programId, externalCustomerId, points, rewardId: null } };
  }

  approve({ id, owner }: Held, by: string): Command {
    const input = { idempotencyKey: this.key(), adjustmentId: id, reason: 'right' };
    return approveAdjustment(input, owner, this.#principal(by));
  }

  rejectAdjustment({ id, owner }: Held, by: string): Command {
    const input = { idempotencyKey: this.key(), adjustmentId: id, reason: 'wrong' };
    return rejectAdjustment(input, owner, this.#principal(by));
  }

  settle(name: string): Command {
    const externalCustomerId = this.run + name;
    return settleProfile({
      environmentId: this.shop.id,
      programId,
      externalCustomerId,
      requestId: 'req_sweep',
    });
  }

  /** Moves the expiry of a member's first lot into the past, as if its time had passed meanwhile. */
  async lapseFirstLot(name: string): Promise<void> {
    await this.#pool.query(
      `with lapsed as (
        update lots set expires_at = clock_timestamp() - interval '1 hour'
        where environment_id = $1 and id = (
          select l.id from lots l join members m on m.environment_id = $1 and m.id = l.member_id
          where l.environment_id = $1 and m.external_customer_id = $2 order by l.id limit 1)
        returning member_id, program_id, expires_at
      )
      update program_profiles p set next_due_at = lapsed.expires_at from lapsed
      where p.environment_id = $1 and p.member_id = lapsed.member_id and p.program_id = lapsed.program_id`,
      [this.shop.id, this.run + name],
    );
  }

  /** Moves the end of the member's open quotes into the past. */
  async outdateQuotes(name: string): Promise<void> {
    await this.#pool.query(
      `update redemption_quotes set expires_at = clock_timestamp() - interval '1 minute'
        where environment_id = $1 and state = 'quoted'
          and member_id = (select id from members where environment_id = $1 and external_customer_id = $2)`,
      [this.shop.id, this.run + name],
    );
  }

  /** Adds a webhook endpoint that subscribes to the points earned in the environment. */
  async endpoint(): Promise<void> {
    await addEndpoint(this.#pool, this.shop.id, ['points.earned']);
  }

  /** Numbers the events so far. */
  async placeEvents(): Promise<void> {
    await new Sequencer({ pool: this.#pool }).step(this.shop.id);
  }

  key(): string {
    this.#keys += 1;
    return `${this.run}key-${this.#keys}`;
  }

  #principal(id: string): Shop['caller'] {
    return { ...this.shop.caller, actor: { type: 'api_key', id } };
  }
}

function uuid(prefix: Parameters<typeof fromTypeId>[0], id: string): string {
  return fromTypeId(prefix, id) ?? '';
}
