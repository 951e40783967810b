import { purchaseEarn } from '../../../src/commands/earning/purchase-earn.ts';
import { createMember } from '../../../src/commands/members/create-member.ts';
import { enrollMember } from '../../../src/commands/members/enroll-member.ts';
import { commitRedemption } from '../../../src/commands/redemptions/commit-redemption.ts';
import { quoteRedemption } from '../../../src/commands/redemptions/quote-redemption.ts';
import { reserveRedemption } from '../../../src/commands/redemptions/reserve-redemption.ts';
import { recordReturn } from '../../../src/commands/returns/record-return.ts';
import { fromTypeId } from '../../../src/ids.ts';
import type { Command, CommandDoor, Outcome } from '../../../src/ledger/command.ts';
import { isRefusal, type Refusal } from '../../../src/refusal.ts';
import type { Shop } from '../ledger/counter.ts';

const IN_FLIGHT = 1_000;
const PROGRAM = 'record-club';

/** An order of the CDNOW history. */
export interface Order {
  customer: string;
  reference: string;
  /** Midnight UTC of its day. */
  at: Date;
  amountMinor: number;
}

/** Sends a history as a merchant would. Each method ends when all of its commands are committed. */
export class Merchant {
  readonly #shop: Shop;
  readonly #door: CommandDoor;
  readonly #customers = new Set<string>();
  #keys = 0;

  constructor(shop: Shop, door: CommandDoor) {
    this.#shop = shop;
    this.#door = door;
  }

  /** Records orders, those of one customer one after the other. New customers become members first. */
  async sell(orders: readonly Order[]): Promise<void> {
    const { caller } = this.#shop;
    const newcomers = [...new Set(orders.map(({ customer }) => customer))].filter(
      (customer) => !this.#customers.has(customer),
    );
    await each(newcomers, async (externalCustomerId) => {
      this.#customers.add(externalCustomerId);
      const member = { externalCustomerId, consentStatus: 'opted_in', noticeVersion: '1' } as const;
      await this.#done(createMember({ idempotencyKey: this.#key(), ...member }, caller));
      await this.#done(
        enrollMember(
          { idempotencyKey: this.#key(), programId: PROGRAM, ...member, evidence: { source: 'history' } },
          caller,
        ),
      );
    });
    await each(orders, ({ customer, reference, at, amountMinor }) =>
      this.#done(
        purchaseEarn(
          {
            idempotencyKey: this.#key(),
            programId: PROGRAM,
            externalCustomerId: customer,
            amountMinor,
            channel: 'web',
            sourceReference: reference,
            occurredAt: at.toISOString(),
          },
          caller,
        ),
      ),
    );
  }

  /** Records returns of parts of orders. Orders of amount 0 cannot be returned. */
  async takeBack(returns: readonly { order: Order; amountMinor: number }[]): Promise<void> {
    await each(returns, ({ order, amountMinor }) =>
      this.#done(
        recordReturn(
          {
            idempotencyKey: this.#key(),
            sourceReference: order.reference,
            returnReference: `return of ${order.reference}`,
            returnAmountMinor: amountMinor,
          },
          { programId: PROGRAM, externalCustomerId: order.customer, points: 0, rewardId: null },
          this.#shop.caller,
        ),
      ),
    );
  }

  /**
   * Redeems a reward for customers: quote, reserve, commit.
   * @returns how many were committed; customers with too few points are skipped
   */
  async redeem(customers: readonly string[], rewardId: string): Promise<number> {
    const { caller } = this.#shop;
    let committed = 0;
    await each(customers, async (externalCustomerId) => {
      const about = { programId: PROGRAM, externalCustomerId };
      const quoted = await this.#door.submit(
        quoteRedemption(
          { idempotencyKey: this.#key(), ...about, sourceReference: 'checkout', rewardId },
          caller,
        ),
      );
      if (isRefusal(quoted)) return expectCode(quoted, 'insufficient_points');
      const { quote } = quoted.receipt as { quote: { id: string; points: number } };
      const named = { ...about, points: quote.points, rewardId, id: fromTypeId('quo', quote.id) ?? '' };
      const reserved = await this.#door.submit(
        reserveRedemption({ idempotencyKey: this.#key(), quoteId: quote.id }, named, caller),
      );
      // A concurrent redemption of the same customer may have used the points.
      if (isRefusal(reserved)) return expectCode(reserved, 'insufficient_points');
      const { reservation } = reserved.receipt as { reservation: { id: string } };
      await this.#done(
        commitRedemption(
          { idempotencyKey: this.#key(), reservationId: reservation.id, authorizationReference: 'paid' },
          { ...named, id: fromTypeId('rsv', reservation.id) ?? '' },
          caller,
        ),
      );
      committed += 1;
    });
    return committed;
  }

  async #done(command: Command | Refusal): Promise<Outcome> {
    const outcome = isRefusal(command) ? command : await this.#door.submit(command);
    if (isRefusal(outcome)) throw new Error(`${outcome.code}: ${outcome.message}`);
    return outcome;
  }

  #key(): string {
    this.#keys += 1;
    return `history-${this.#keys}`;
  }
}

/** Does the work for each item, several at once, started in the order of the items. */
export async function each<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(IN_FLIGHT, items.length) }, worker));
}

function expectCode(refusal: Refusal, code: string): void {
  if (refusal.code !== code) throw new Error(`${refusal.code}: ${refusal.message}`);
}
