import { commitRedemption } from '../../../src/commands/redemptions/commit-redemption.ts';
import { openDispute } from '../../../src/commands/redemptions/open-dispute.ts';
import { quoteRedemption } from '../../../src/commands/redemptions/quote-redemption.ts';
import { redeemInWidget, type WidgetOffer } from '../../../src/commands/redemptions/redeem-in-widget.ts';
import { rejectDispute } from '../../../src/commands/redemptions/reject-dispute.ts';
import { releaseRedemption } from '../../../src/commands/redemptions/release-redemption.ts';
import { reserveRedemption } from '../../../src/commands/redemptions/reserve-redemption.ts';
import { resolveDispute } from '../../../src/commands/redemptions/resolve-dispute.ts';
import { reverseRedemption } from '../../../src/commands/redemptions/reverse-redemption.ts';
import { updateFulfillment } from '../../../src/commands/redemptions/update-fulfillment.ts';
import type {
  CommitRedemptionInput,
  OpenDisputeInput,
  RedeemInWidgetInput,
  RedemptionQuoteInput,
  RejectDisputeInput,
  ReleaseRedemptionInput,
  ReserveRedemptionInput,
  ResolveDisputeInput,
  ReverseRedemptionInput,
  UpdateFulfillmentInput,
} from '../../../src/contract/generated/types.ts';
import { fromTypeId, toTypeId } from '../../../src/ids.ts';
import type { Outcome } from '../../../src/ledger/command.ts';
import type { OwnedResource } from '../../../src/ledger/resource-owner.ts';
import type { LotRecord } from '../../../src/ledger/tables/lot-rows.ts';
import type { DisputeRecord } from '../../../src/ledger/tables/redemption-disputes.ts';
import type { QuoteRecord } from '../../../src/ledger/tables/redemption-quotes.ts';
import type { ReservationRecord } from '../../../src/ledger/tables/redemption-reservations.ts';
import type { ProgramDocument, Reward } from '../../../src/programs/document/program-document.ts';
import type { WidgetDeployment } from '../../../src/widget/widget-document.ts';
import { program } from '../rules/fixtures.ts';
import { Desk, receiptOf, rows } from './desk.ts';

export function reward(overrides: Partial<Reward> = {}): Reward {
  return { id: 'mug', name: 'A mug', points: 100, ...overrides };
}

/** A widget that shows all rewards of the coffee club, in its third version. */
export const WIDGET: WidgetDeployment = {
  environmentId: '01980000-0000-7000-8000-000000000001',
  deploymentId: 'wdg_01jz8k2v9xe6tr8p2w4y6z8abc',
  version: 3,
  programId: 'coffee-club',
  document: {
    id: 'account',
    program: 'coffee-club',
    origins: ['https://shop.example'],
    components: [{ id: 'rewards', kind: 'svc.reward_catalog' }],
  },
};

interface PartsOfOffer {
  deployment?: Partial<WidgetDeployment>;
  session?: Partial<WidgetOffer['session']>;
  ifMatch?: string | null;
}

/**
 * A desk with the commands of redemptions: ann is enrolled and has 250 points in three lots. An input without a quote
 * or reservation is about the newest one. Owners are looked up as the resolvers do.
 */
export class RewardCounter extends Desk {
  #redemptionKeys = 0;

  quote(overrides: Partial<RedemptionQuoteInput> = {}): Outcome {
    return this.run(
      quoteRedemption(
        {
          idempotencyKey: this.#key(),
          programId: 'coffee-club',
          externalCustomerId: 'ann',
          sourceReference: 'checkout-1',
          rewardId: 'mug',
          ttlSeconds: 900,
          ...overrides,
        },
        this.caller,
      ),
    );
  }

  reserve(overrides: Partial<ReserveRedemptionInput> = {}): Outcome {
    const input = { idempotencyKey: this.#key(), quoteId: this.newestId('quo'), ...overrides };
    const quote = this.store.tables.quotes.get(fromTypeId('quo', input.quoteId) ?? '');
    return this.run(reserveRedemption(input, this.#named(quote), this.caller));
  }

  commit(overrides: Partial<CommitRedemptionInput> = {}): Outcome {
    const input = { ...this.#reservation(), authorizationReference: 'auth-1', ...overrides };
    return this.run(commitRedemption(input, this.#owner(input), this.caller));
  }

  /** Redeems the mug in a widget, with a session of ann. */
  redeemInWidget(
    overrides: Partial<RedeemInWidgetInput> = {},
    { deployment, session, ifMatch = null }: PartsOfOffer = {},
  ): Outcome {
    const { id: memberId, externalCustomerId } = this.member();
    return this.run(
      redeemInWidget(
        { deploymentId: WIDGET.deploymentId, idempotencyKey: this.#key(), rewardId: 'mug', ...overrides },
        {
          deployment: { ...WIDGET, ...deployment },
          session: { memberId, externalCustomerId, expiresAt: new Date(this.now.getTime() + 1), ...session },
          ifMatch,
        },
        { ...this.caller, actor: { type: 'customer', id: WIDGET.deploymentId } },
      ),
    );
  }

  release(overrides: Partial<ReleaseRedemptionInput> = {}): Outcome {
    const input = { ...this.#reservation(), reason: 'cart abandoned', ...overrides };
    return this.run(releaseRedemption(input, this.#owner(input), this.caller));
  }

  reverse(overrides: Partial<ReverseRedemptionInput> = {}): Outcome {
    const input = { ...this.#reservation(), reason: 'out of order', ...overrides };
    return this.run(reverseRedemption(input, this.#owner(input), this.caller));
  }

  fulfil(overrides: Partial<UpdateFulfillmentInput> = {}): Outcome {
    const input = { ...this.#reservation(), status: 'shipped' as const, ...overrides };
    return this.run(updateFulfillment(input, this.#owner(input), this.caller));
  }

  dispute(overrides: Partial<OpenDisputeInput> = {}): Outcome {
    const input = { ...this.#reservation(), reason: 'never came', ...overrides };
    return this.run(openDispute(input, this.#owner(input), this.caller));
  }

  resolve(overrides: Partial<ResolveDisputeInput> = {}): Outcome {
    const input = { ...this.#disputed(), resolution: 'sent again', reverse: false, ...overrides };
    return this.run(resolveDispute(input, this.#owner(input), this.caller));
  }

  reject(overrides: Partial<RejectDisputeInput> = {}): Outcome {
    const input = { ...this.#disputed(), reason: 'was handed over', ...overrides };
    return this.run(rejectDispute(input, this.#owner(input), this.caller));
  }

  /** Quotes and reserves. */
  hold(overrides: Partial<RedemptionQuoteInput> = {}): Outcome {
    receiptOf(this.quote(overrides));
    return this.reserve();
  }

  /** Quotes, reserves and commits. */
  redeem(overrides: Partial<RedemptionQuoteInput> = {}): Outcome {
    receiptOf(this.hold(overrides));
    return this.commit();
  }

  get newestQuote(): QuoteRecord {
    return rows(this.store.tables.quotes).at(-1) as QuoteRecord;
  }

  get newestReservation(): ReservationRecord {
    return rows(this.store.tables.reservations).at(-1) as ReservationRecord;
  }

  get newestDispute(): DisputeRecord {
    return rows(this.store.tables.disputes).at(-1) as DisputeRecord;
  }

  /** The lots' amounts, oldest lot first: `available/reserved`. */
  get lots(): string[] {
    return rows(this.store.tables.lots).map((lot: LotRecord) => `${lot.available}/${lot.reserved}`);
  }

  /** Available, pending and reserved points of the profile. */
  get balances(): number[] {
    const { available, pending, reserved } = this.profile();
    return [available, pending, reserved];
  }

  /** Types of the webhook events, oldest first. */
  get events(): string[] {
    return this.store.webhookEvents.map(({ type }) => type);
  }

  inSeconds(seconds: number): void {
    this.now = new Date(this.now.getTime() + seconds * 1000);
  }

  newestId(prefix: 'quo' | 'rsv' | 'dsp'): string {
    const { quotes, reservations, disputes } = this.store.tables;
    const table: ReadonlyMap<string, { id: string }> = { quo: quotes, rsv: reservations, dsp: disputes }[
      prefix
    ];
    const newest = rows(table).at(-1);
    return newest ? toTypeId(prefix, newest.id) : `${prefix}_unknown`;
  }

  /** The public id of a reservation; an unknown id where there is none. */
  idOf(uuid: string | undefined): string {
    return uuid ? toTypeId('rsv', uuid) : 'rsv_unknown';
  }

  #reservation(): { idempotencyKey: string; reservationId: string } {
    return { idempotencyKey: this.#key(), reservationId: this.newestId('rsv') };
  }

  #disputed(): { idempotencyKey: string; reservationId: string; disputeId: string } {
    return { ...this.#reservation(), disputeId: this.newestId('dsp') };
  }

  #owner({ reservationId }: { reservationId: string }): OwnedResource | null {
    return this.#named(this.store.tables.reservations.get(fromTypeId('rsv', reservationId) ?? ''));
  }

  #named(thing: QuoteRecord | ReservationRecord | undefined): OwnedResource | null {
    if (!thing) return null;
    const { id, programId, points, rewardId, memberId } = thing;
    const member = rows(this.store.tables.members).find((row) => row.id === memberId);
    return member ? { id, programId, points, rewardId, externalCustomerId: member.externalCustomerId } : null;
  }

  #key(): string {
    this.#redemptionKeys += 1;
    return `redemption-${this.#redemptionKeys}`;
  }
}

/** A counter under this document; ann has lots of 50, 120 and 80 points. */
export function rewardCounter(overrides: Partial<ProgramDocument> = {}): RewardCounter {
  const desk = new RewardCounter();
  desk.publish(program({ rewards: [reward()], ...overrides }));
  desk.createMember();
  desk.enroll();
  for (const amountMinor of [5_000, 12_000, 8_000]) desk.earn({ amountMinor });
  return desk;
}
