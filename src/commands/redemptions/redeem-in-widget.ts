import type { CustomerBalances, RedeemInWidgetInput } from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import type { Book } from '../../ledger/books/book.ts';
import type { State } from '../../ledger/state.ts';
import { realTime } from '../../ledger/tables/environments.ts';
import { versionAt } from '../../programs/published/published-program.ts';
import { isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { showsReward } from '../../widget/shown-rewards.ts';
import { defaultRedemption, type WidgetDeployment } from '../../widget/widget-document.ts';
import { bookedDecision } from '../shared/booked-decision.ts';
import { type Caller, envelope } from '../shared/caller.ts';
import type { CommandOf, DecisionOf } from '../shared/operation-command.ts';
import { presentName } from '../shared/present-name.ts';
import { commitHeld } from './commit-redemption.ts';
import { priceReward } from './quote-redemption.ts';
import { reservationReceipt } from './redemption-receipt.ts';
import { type HeldPoints, holdPoints } from './reserve-redemption.ts';

/** Whose redemption it is, and what the page showed. */
export interface WidgetOffer {
  /** The deployment in its present version. */
  deployment: WidgetDeployment;
  session: {
    /** UUID. */
    memberId: string;
    externalCustomerId: string;
    /** Of the real time: a session does not end sooner where the clock of a Sandbox was moved. */
    expiresAt: Date;
  };
  /**
   * What the member has seen, as `If-Match` names it: the surface's id, or that with the price, such as
   * `"wdg_…:3;points=150"`; null where neither matters.
   */
  ifMatch: string | null;
}

const sessionOver = refuse('unauthorized', 'The session is over: get a new one for the page.');
const replaced = refuse(
  'deployment_replaced',
  'The widget was published anew since the page read it, or If-Match is no id of ' +
    'its surface in double quotes: read the surface again.',
);
/** @param points what the reward costs now */
const repriced = (points: number): Refusal<'price_changed'> =>
  refuse(
    'price_changed',
    `The reward costs ${points} points now, not what the member has confirmed. ` +
      'Nothing was done: tell the member this price, and ask again.',
    [{ path: 'pointsCost', message: String(points) }],
  );
const notOffered = refuse(
  'reward_not_available',
  'The widget does not offer this reward at present: read the surface again.',
);

/**
 * Redeems a reward that a widget offers to the member of a session: quotes and holds it, and commits it where the
 * widget's document says so (decisions, "Customers and widgets"). The key is the member's own. Refusals:
 * `unauthorized`, `deployment_replaced`, `price_changed`, `enrollment_required`, and `reward_not_available` for
 * everything else that stands against it.
 */
export function redeemInWidget(
  input: RedeemInWidgetInput,
  offer: WidgetOffer,
  caller: Caller,
): CommandOf<'redeemInWidget'> {
  const { deployment, session } = offer;
  const { programId } = deployment;
  const { externalCustomerId, memberId } = session;
  const { rewardId } = input;
  return {
    ...envelope('redeemInWidget', input, caller),
    idempotencyKey: `${toTypeId('mem', memberId)}:${input.idempotencyKey}`,
    laneKey: externalCustomerId,
    subjects: [
      { kind: 'member', externalCustomerId },
      { kind: 'profile', programId, externalCustomerId },
      { kind: 'points', programId, externalCustomerId, points: 0, rewardIds: [rewardId] },
      { kind: 'stock', programId, rewardId },
    ],
    decide: (state, now) => decide(rewardId, offer, state, now),
  };
}

function decide(rewardId: string, offer: WidgetOffer, state: State, now: Date): DecisionOf<'redeemInWidget'> {
  const { deployment } = offer;
  const refusal = refuseSession(offer, state, now) ?? refuseUnseen(rewardId, offer, state, now);
  if (refusal) return refusal;
  const externalCustomerId = presentName(offer.session.externalCustomerId, state);
  const priced = priceReward(
    {
      ...{ programId: deployment.programId, externalCustomerId, rewardId },
      sourceReference: `widget-${state.newId()}`,
    },
    state,
    now,
  );
  if (isRefusal(priced)) return told(priced);
  const { quote, book, settled } = priced;
  if (!hasSeen(offer, `;points=${quote.points}"`)) return repriced(quote.points);
  const held = holdPoints({ quote, book, settled, externalCustomerId, state });
  if (isRefusal(held)) return told(held);
  const { reservation, audit, webhookEvents } = redeemed(book, held, offer);
  return bookedDecision(book, held.changes, {
    receipt: {
      redemption: reservationReceipt(reservation, externalCustomerId),
      balance: balanceOf(book),
    },
    inserts: { quotes: [{ ...quote, state: 'reserved' }], reservations: [reservation] },
    audits: [audit],
    webhookEvents,
  });
}

/** Commits what is held, where the widget's document says so. */
function redeemed(book: Book, hold: HeldPoints, { deployment, session }: WidgetOffer) {
  const { deploymentId, version, document } = deployment;
  const { reservation, lots, audit, webhookEvent } = hold;
  if ((document.redemption ?? defaultRedemption) === 'reserve') {
    return { reservation, audit, webhookEvents: [webhookEvent] };
  }
  const { externalCustomerId } = session;
  // What the merchant has published takes the place of its checkout.
  const authorizationReference = `${deploymentId}:${version}`;
  const committed = commitHeld(book, reservation, { lots, authorizationReference, externalCustomerId });
  const { transactionId: reserved } = audit.changes as { transactionId: string };
  return {
    reservation: committed.reservation,
    // A command has one audit entry: this one names both transactions.
    audit: { ...committed.audit, changes: { ...committed.audit.changes, reserveTransactionId: reserved } },
    webhookEvents: [webhookEvent, committed.webhookEvent],
  };
}

function refuseSession(
  offer: WidgetOffer,
  state: State,
  now: Date,
): Refusal<'deployment_replaced' | 'unauthorized'> | null {
  const { session } = offer;
  // A member who is erased, or another one who has its id by now, has no session.
  const member = state.member(session.externalCustomerId);
  const isOver = session.expiresAt <= realTime(state.environment, now);
  if (isOver || !state.isOf(session.memberId, member)) return sessionOver;
  return hasSeen(offer, ';points=') ? null : replaced;
}

/**
 * Whether the member has seen the present version of the widget and, where `If-Match` names a price, one that begins
 * so.
 */
function hasSeen({ deployment, ifMatch }: WidgetOffer, price: string): boolean {
  const surface = `${deployment.deploymentId}:${deployment.version}`;
  const tags = ifMatch?.split(',').map((each) => each.trim()) ?? ['*'];
  return tags.some((tag) => tag === '*' || tag === `"${surface}"` || tag.startsWith(`"${surface}${price}`));
}

/** Refuses a reward that the widget does not show to anybody. */
function refuseUnseen(
  rewardId: string,
  { deployment }: WidgetOffer,
  state: State,
  now: Date,
): Refusal<'reward_not_available'> | null {
  const program = state.program(deployment.programId);
  const version = program && versionAt(program, now);
  return version && showsReward(deployment.document, version.document, rewardId, now) ? null : notOffered;
}

/** What the page is told: nothing of the merchant's rules, and nothing that the surface does not say. */
function told(refusal: Refusal): Refusal<'enrollment_required' | 'reward_not_available'> {
  const { code } = refusal;
  return code === 'enrollment_required' ? { ...refusal, code } : notOffered;
}

function balanceOf({ profile: { available, pending, reserved } }: Book): CustomerBalances {
  return { available, pending, reserved };
}
