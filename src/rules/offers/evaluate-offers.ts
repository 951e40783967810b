import { compileProgram } from '../compiled/compiled-program.ts';
import { type EvaluationFacts, factsOf } from '../conditions/evaluation-facts.ts';
import type { AppliedOffer, Cart, OfferEvaluation, OfferProgram, RejectedOffer } from './cart.ts';
import { byPriority, type CompiledOffer, compileOffers } from './compiled-offers.ts';
import { type CouponStanding, couponStanding } from './coupon-standing.ts';
import { type DiscountableLine, discountOf, discountsOf, leftOf } from './discounts.ts';
import { explainEffect } from './explain-effect.ts';
import { lineOrder } from './line-order.ts';

/** A cart, and the programs whose offers are evaluated for it. */
export interface OfferRequest {
  cart: Cart;
  /**
   * The program that the cart names: all its offers are evaluated. Of other programs, only those of scope
   * `environment`.
   */
  programId: string | null;
  /** Programs with a version in effect, in any order. */
  programs: readonly OfferProgram[];
  at: Date;
}

/**
 * Says which offers apply to a cart, and what they take off each line (specification, `POST /offers/evaluate`).
 *
 * Offers are evaluated by priority (higher first), then id, then program. Each works on what the offers before it have
 * left of the lines. An `exclusive` offer applies where none has applied yet, and then no other offer applies. Of all
 * `best_value` offers that match, only the one with the largest discount applies (of equal ones, the first), when the
 * first of them is reached. An offer that would take nothing off does not apply. The same input gives the same output,
 * to the byte. The order of offers in their documents never matters; the order of lines changes no total and no line's
 * share.
 * @returns the evaluation, or null where the sum of the lines is above 2^53-1
 */
export function evaluateOffers({ cart, programId, programs, at }: OfferRequest): OfferEvaluation | null {
  const open = openCart(cart);
  if (!open) return null;
  const currency =
    cart.currency ?? programs.find((program) => program.programId === programId)?.document.currency ?? null;
  const views = programs.map((program) => viewOf(program, programId, cart, open, currency, at));
  const candidates = views
    .flatMap((view) =>
      compileOffers(view.program.document)
        .filter(({ ofEnvironment }) => ofEnvironment || view.named)
        .map((compiled): Candidate => ({ compiled, view, why: whyNot(compiled, view), matched: null })),
    )
    .sort((a, b) => byPriority(a.compiled, b.compiled) || (a.view.id < b.view.id ? -1 : 1));
  const run = new Run(open);
  run.goThrough(candidates);
  const discountMinor = open.subtotalMinor - leftOf(open.lines);
  return {
    subtotalMinor: open.subtotalMinor,
    discountMinor,
    totalMinor: open.subtotalMinor - discountMinor,
    effects: run.effects,
    notApplied: run.rejections(),
    coupon:
      typeof cart.couponCode === 'string'
        ? {
            code: cart.couponCode,
            valid: views.some(({ coupon, closed }) => closed === null && coupon.opens),
          }
        : null,
  };
}

interface OpenCart {
  items: Cart['items'];
  subtotalMinor: number;
  quantity: number;
  /** In the order that breaks ties. Each discount reduces their `leftMinor`. */
  lines: DiscountableLine[];
}

/** A program, prepared for this cart. */
interface ProgramView {
  id: string;
  program: OfferProgram;
  named: boolean;
  facts: EvaluationFacts;
  /** The facts with each line by itself, in the order of the cart; made when first needed. */
  ofLines: EvaluationFacts[] | null;
  coupon: CouponStanding;
  /** Why no offer of the program applies; null where there is no such reason. */
  closed: string | null;
}

interface Candidate {
  compiled: CompiledOffer;
  view: ProgramView;
  /** Why it does not apply, regardless of the other offers; null where there is no such reason. */
  why: string | null;
  /** The lines that it matches, in the order that breaks ties; computed when first needed. */
  matched: readonly DiscountableLine[] | null;
}

function openCart({ items }: Cart): OpenCart | null {
  let subtotal = 0n;
  let quantity = 0;
  for (const item of items) {
    const units = item.quantity ?? 1;
    subtotal += BigInt(units) * BigInt(item.unitPriceMinor);
    quantity += units;
  }
  if (subtotal > BigInt(Number.MAX_SAFE_INTEGER)) return null;
  const lines = lineOrder(items).map((index) => {
    const { quantity: units, unitPriceMinor } = items[index] ?? { quantity: 0, unitPriceMinor: 0 };
    return { index, quantity: units ?? 1, leftMinor: (units ?? 1) * unitPriceMinor };
  });
  return { items, subtotalMinor: Number(subtotal), quantity, lines };
}

function viewOf(
  program: OfferProgram,
  programId: string | null,
  cart: Cart,
  { subtotalMinor, quantity }: OpenCart,
  currency: string | null,
  at: Date,
): ProgramView {
  const { document, customer } = program;
  const { coupons, clock } = compileProgram(document);
  const facts = factsOf(
    {
      cart: { ...cart, subtotalMinor, quantity, currency },
      profile: customer?.profile ?? null,
      member: customer?.member ?? null,
    },
    document.currency,
    clock,
    at,
  );
  const named = program.programId === programId;
  const code = cart.couponCode ?? null;
  return {
    id: program.programId,
    program,
    named,
    facts,
    ofLines: null,
    coupon: couponStanding(
      code,
      coupons,
      named || programId === null ? null : compileOffers(document),
      facts,
      program.couponUses,
    ),
    closed:
      currency !== null && currency !== document.currency
        ? `The cart is in ${currency}, the program in ${document.currency}.`
        : null,
  };
}

/** One evaluation of the offers, in order. */
class Run {
  readonly effects: AppliedOffer[] = [];
  readonly #cart: OpenCart;
  readonly #reasons = new Map<Candidate, string>();
  #candidates: readonly Candidate[] = [];

  constructor(cart: OpenCart) {
    this.#cart = cart;
  }

  goThrough(candidates: readonly Candidate[]): void {
    this.#candidates = candidates;
    let exclusive: string | null = null;
    let compared = false;
    for (const candidate of candidates) {
      if (this.#reasons.has(candidate)) continue;
      const { policy, offer } = candidate.compiled;
      if (exclusive !== null) this.#reasons.set(candidate, `Offer ${exclusive} applies alone.`);
      else if (candidate.why !== null) this.#reasons.set(candidate, candidate.why);
      else if (policy === 'exclusive' && this.effects[0]) {
        this.#reasons.set(
          candidate,
          `It applies alone, and offer ${this.effects[0].offerId} comes before it.`,
        );
      } else if (policy !== 'best_value') {
        if (this.#apply(candidate) && policy === 'exclusive') exclusive = offer.id;
      } else if (!compared) {
        compared = true;
        this.#applyBest(candidates);
      }
    }
  }

  rejections(): RejectedOffer[] {
    return this.#candidates.flatMap((candidate) => {
      const reason = this.#reasons.get(candidate);
      const { compiled, view } = candidate;
      return reason === undefined ? [] : [{ offerId: compiled.offer.id, programId: view.id, reason }];
    });
  }

  /** Applies the `best_value` offer, of any priority, with the largest discount on what is left now. */
  #applyBest(candidates: readonly Candidate[]): void {
    const competing = candidates.filter(
      ({ compiled, why }) => compiled.policy === 'best_value' && why === null,
    );
    let best: { candidate: Candidate; off: number } | null = null;
    for (const candidate of competing) {
      const off = discountOf(candidate.compiled.offer.effect, this.#matched(candidate));
      if (!best || off > best.off) best = { candidate, off };
    }
    for (const candidate of competing) {
      if (candidate === best?.candidate) this.#apply(candidate);
      else
        this.#reasons.set(candidate, `Offer ${best?.candidate.compiled.offer.id} takes as much or more off.`);
    }
  }

  /** @returns whether the offer applied: whether it took anything off */
  #apply(candidate: Candidate): boolean {
    const { compiled, view } = candidate;
    const { offer, policy } = compiled;
    const matched = this.#matched(candidate);
    const leftMinor = leftOf(matched);
    const shares = discountsOf(offer.effect, matched);
    const discountMinor = sum(shares);
    if (discountMinor === 0) {
      this.#reasons.set(
        candidate,
        matched.length === 0
          ? 'None of the lines matches.'
          : 'It would take nothing off the lines that match.',
      );
      return false;
    }
    const { items } = this.#cart;
    const lines = matched
      .map(({ index }, place) => ({ index, discountMinor: shares[place] ?? 0 }))
      .sort((a, b) => a.index - b.index)
      .map(({ index, discountMinor: share }) => ({
        index,
        lineReference: items[index]?.lineReference ?? null,
        sku: items[index]?.sku ?? '',
        discountMinor: share,
      }));
    const extent = { lines: matched.length, ofLines: items.length, leftMinor };
    this.effects.push({
      offerId: offer.id,
      name: offer.name,
      programId: view.id,
      policy,
      kind: offer.effect.kind,
      discountMinor,
      explanation: explainEffect(offer.effect, extent, discountMinor, view.program.document.currency),
      lines,
    });
    matched.forEach((line, place) => {
      line.leftMinor -= shares[place] ?? 0;
    });
    return true;
  }

  #matched(candidate: Candidate): readonly DiscountableLine[] {
    const { compiled, view } = candidate;
    const { lines, items } = this.#cart;
    const { takesLine } = compiled;
    if (!takesLine) return lines;
    view.ofLines ??= items.map((item) => ({ ...view.facts, items: [item] }));
    const { ofLines } = view;
    candidate.matched ??= lines.filter(({ index }) => takesLine(ofLines[index] ?? view.facts));
    return candidate.matched;
  }
}

function whyNot(compiled: CompiledOffer, view: ProgramView): string | null {
  const { couponCodes } = compiled;
  return view.closed ?? compiled.whyNot(view.facts) ?? (couponCodes && view.coupon.whyNot(couponCodes));
}

function sum(shares: readonly number[]): number {
  return shares.reduce((total, share) => total + share, 0);
}
