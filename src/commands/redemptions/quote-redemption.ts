import type { Mutation, RedemptionQuoteInput } from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import { Book } from '../../ledger/books/book.ts';
import { type HoldChanges, takenOf } from '../../ledger/books/holds.ts';
import { settle } from '../../ledger/books/settle.ts';
import type { State } from '../../ledger/state.ts';
import { isActive } from '../../ledger/tables/members.ts';
import type { QuoteRecord } from '../../ledger/tables/redemption-quotes.ts';
import { versionAt } from '../../programs/published/published-program.ts';
import { isRefusal, programNotFound, type Refusal, refuse } from '../../refusal.ts';
import { findReward, rewardTerms, whyNotEligible } from '../../rules/rewards.ts';
import { standingAt } from '../../rules/standing.ts';
import { bookedDecision } from '../shared/booked-decision.ts';
import { type Caller, envelope } from '../shared/caller.ts';
import { noActiveMember } from '../shared/no-active-member.ts';
import type { CommandOf, DecisionOf } from '../shared/operation-command.ts';
import { presentName } from '../shared/present-name.ts';
import { quotedPrice, refuseForm } from './quoted-price.ts';
import { quoteReceipt } from './redemption-receipt.ts';

const DEFAULT_TTL_SECONDS = 900;

/**
 * Prices a reward for a member; nothing is reserved or spent (specification, GraphQL `quoteRedemption`). Refusals:
 * `program_not_found`, `member_not_found`, `reward_not_found`, `quote_form_invalid`, `enrollment_required`,
 * `reward_not_eligible`, `inventory_exhausted`, `points_out_of_range`, `insufficient_points`.
 */
export function quoteRedemption(input: RedemptionQuoteInput, caller: Caller): CommandOf<'quoteRedemption'> {
  return quoting('quoteRedemption', input, caller, () => input.sourceReference);
}

/**
 * The command that prices a reward, of whichever operation.
 * @param operation SDL name of the mutation
 * @param referenceIn the quote's `sourceReference`, when it is decided on
 */
export function quoting(
  operation: keyof Mutation,
  input: Omit<RedemptionQuoteInput, 'sourceReference'>,
  caller: Caller,
  referenceIn: (state: State) => string,
): CommandOf<'quoteRedemption'> {
  const { programId, externalCustomerId, rewardId } = input;
  return {
    ...envelope(operation, input, caller),
    laneKey: externalCustomerId,
    subjects: [
      { kind: 'member', externalCustomerId },
      { kind: 'profile', programId, externalCustomerId },
      { kind: 'points', programId, externalCustomerId, points: 0 },
      { kind: 'stock', programId, rewardId },
    ],
    decide: (state, now) => decide({ ...input, sourceReference: referenceIn(state) }, state, now),
  };
}

function decide(input: RedemptionQuoteInput, state: State, now: Date): DecisionOf<'quoteRedemption'> {
  const priced = priceReward(input, state, now);
  if (isRefusal(priced)) return priced;
  const { quote, book, settled } = priced;
  const { programId, rewardId, points, expiresAt } = quote;
  return bookedDecision(book, settled, {
    receipt: {
      quote: quoteReceipt(quote, presentName(input.externalCustomerId, state), book.profile.available),
    },
    inserts: { quotes: [quote] },
    audits: [
      {
        action: 'redemption.quoted',
        targetType: 'quote',
        targetId: toTypeId('quo', quote.id),
        changes: { programId, rewardId, points, expiresAt: expiresAt.toISOString() },
      },
    ],
    webhookEvents: [],
  });
}

/** A reward that was priced for a member. Nothing is written yet. */
export interface PricedReward {
  quote: QuoteRecord;
  /** The member's book, settled. */
  book: Book;
  /** What was settled. */
  settled: HoldChanges;
}

/**
 * Prices a reward for a member. Refusals: those of `quoteRedemption`.
 * @param input of a quote; the points of the profile and the stock of the reward have to be loaded
 */
export function priceReward(
  input: Omit<RedemptionQuoteInput, 'idempotencyKey'>,
  state: State,
  now: Date,
):
  | PricedReward
  | Refusal<
      | 'enrollment_required'
      | 'insufficient_points'
      | 'inventory_exhausted'
      | 'member_not_found'
      | 'points_out_of_range'
      | 'program_not_found'
      | 'quote_form_invalid'
      | 'reward_not_eligible'
      | 'reward_not_found'
    > {
  const { programId, externalCustomerId, rewardId } = input;
  const program = state.program(programId);
  const version = program && versionAt(program, now);
  if (!version) return programNotFound;
  const member = state.member(externalCustomerId);
  if (!isActive(member)) return noActiveMember;
  const reward = findReward(version.document, rewardId);
  if (!reward) {
    return refuse('reward_not_found', "The program's present configuration has no reward of this id.");
  }
  const malformed = refuseForm(reward, input);
  if (malformed) return malformed;
  const profile = state.profile(programId, externalCustomerId);
  if (!profile?.enrolled) {
    return refuse(
      'enrollment_required',
      'The member is not enrolled in this program: PUT the enrollment first.',
    );
  }
  const standing = standingAt(version.document, profile, now);
  const objection = whyNotEligible(version.document, rewardId, standing, now);
  if (objection) return refuse('reward_not_eligible', objection);
  const book = new Book(profile, state, now);
  const settled = settle(book, state.loadedPoints(programId, externalCustomerId), state);
  const stockTaken = takenOf(settled, programId, rewardId, state);
  if (reward.inventory !== undefined && stockTaken >= reward.inventory) {
    return refuse('inventory_exhausted', 'Nothing is left of this reward.');
  }
  const price = quotedPrice(version, reward, input, book.profile.available);
  if (isRefusal(price)) return price;
  const quote: QuoteRecord = {
    id: state.newId(),
    programId,
    memberId: member.id,
    rewardId,
    sourceReference: input.sourceReference,
    state: 'quoted',
    points: price.points,
    terms: { ...rewardTerms(version, reward), ...(price.discount && { discount: price.discount }) },
    expiresAt: new Date(now.getTime() + (input.ttlSeconds ?? DEFAULT_TTL_SECONDS) * 1000),
    createdAt: now,
  };
  return { quote, book, settled };
}
