import { type Refusal, refuse } from '../../refusal.ts';
import { compileProgram } from '../compiled/compiled-program.ts';
import { couponIdOf } from '../compiled/coupons.ts';
import { type EvaluationFacts, factsOf } from '../conditions/evaluation-facts.ts';
import { type FieldSizes, STEPS_OF_SHARE } from '../shared/evaluation-steps.ts';
import { lineOrder } from '../shared/line-order.ts';
import type {
  AppliedOffer,
  Cart,
  MatchedLine,
  OfferEvaluation,
  OfferProgram,
  RejectedOffer,
} from './cart.ts';
import { byPriority, type CompiledOffer, compileOffers } from './compiled-offers.ts';
import { type CouponStanding, couponStanding } from './coupon-standing.ts';
import { type DiscountableLine, discountOf, discountsOf, leftOf } from './discounts.ts';
import { bytesOf, EvaluationBudget, sizesOf } from './evaluation-budget.ts';
import { explainEffect } from './explain-effect.ts';

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
  /** Whether to say why other offers do not apply. */
  explain: boolean;
}

/** The steps of a slice of an evaluation: about 2 ms of CPU. */
const STEPS_OF_SLICE = 25_000;

/**
 * Says which offers apply to a cart, and what they take off each line (specification, `POST /offers/evaluate`).
 *
 * Offers are evaluated by priority (higher first), then id, then program. Each works on what the offers before it have
 * left of the lines. An `exclusive` offer applies where none has applied yet, and then no other offer applies. Of all
 * `best_value` offers that match, only the one with the largest discount applies (of equal ones, the first), when the
 * first of them is reached. An offer that would take nothing off does not apply. The same input gives the same output,
 * to the byte. The order of offers in their documents never matters; the order of lines changes no total and no line's
 * share.
 * @returns the evaluation; refusals: `validation_failed` (the sum of the lines is above 2^53-1), `cart_too_large`
 */
export function evaluateOffers(
  request: OfferRequest,
): OfferEvaluation | Refusal<'validation_failed' | 'cart_too_large'> {
  const slices = evaluateInSlices(request);
  for (;;) {
    const slice = slices.next();
    if (slice.done) return slice.value;
  }
}

/** `evaluateOffers` in slices: the caller may do other work at each yield. */
export function* evaluateInSlices(
  request: OfferRequest,
): Generator<undefined, OfferEvaluation | Refusal<'validation_failed' | 'cart_too_large'>, void> {
  const { cart, programId, at, explain } = request;
  const open = openCart(cart);
  if (!open) return worthTooMuch;
  const programs = request.programs.filter((program) => programId === null || takesPart(program, programId));
  const currency =
    cart.currency ?? programs.find((program) => program.programId === programId)?.document.currency ?? null;
  const budget = new EvaluationBudget();
  const views: ProgramView[] = [];
  for (const program of programs) {
    // A program is compiled when it is evaluated for the first time.
    if (views.length > 0) yield;
    const view = viewOf(program, programId, cart, open, currency, at);
    const { stepsOfAudiences } = compileOffers(program.document);
    const couponId = cart.couponCode ? couponIdOf(cart.couponCode, program.poolCode) : null;
    if (!budget.take(stepsOfAudiences(view.sizes, couponId))) {
      return budget.refuse(cart.items.length);
    }
    views.push(view);
  }
  const candidates = views
    .flatMap((view) => {
      const { offers, ofEnvironment } = compileOffers(view.program.document);
      return (view.named ? offers : ofEnvironment).map(
        (compiled): Candidate => ({ compiled, view, why: undefined, matched: null }),
      );
    })
    .sort((a, b) => byPriority(a.compiled, b.compiled) || (a.view.id < b.view.id ? -1 : 1));
  const run = new Run(open, budget, explain);
  yield* run.goThrough(candidates);
  const notApplied = budget.exceeded ? [] : run.rejections();
  if (budget.exceeded) return budget.refuse(cart.items.length);
  const discountMinor = open.subtotalMinor - leftOf(open.lines);
  return {
    subtotalMinor: open.subtotalMinor,
    discountMinor,
    totalMinor: open.subtotalMinor - discountMinor,
    effects: run.effects,
    notApplied,
    coupon:
      typeof cart.couponCode === 'string'
        ? {
            code: cart.couponCode,
            valid: views.some(({ coupon, closed }) => closed === null && coupon.opens),
          }
        : null,
  };
}

const worthTooMuch = refuse('validation_failed', 'The cart is worth more than can be counted.', [
  { path: 'items', message: 'must come to at most 9007199254740991 minor units together' },
]);

/** Whether a program has offers for a cart that names a program. */
function takesPart({ programId, document }: OfferProgram, named: string): boolean {
  return programId === named || (document.offers ?? []).some(({ scope }) => scope === 'environment');
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
  sizes: FieldSizes;
  /** Why no offer of the program applies; null where there is no such reason. */
  closed: string | null;
}

interface Candidate {
  compiled: CompiledOffer;
  view: ProgramView;
  /**
   * Why it does not apply, regardless of the other offers; null where there is no such reason. Computed when first
   * needed.
   */
  why: string | null | undefined;
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
    sizes: sizesOf(cart, facts),
    coupon: couponStanding(
      { code, ofPool: program.poolCode, used: program.couponUses },
      coupons,
      named || programId === null ? null : compileOffers(document).offers,
      facts,
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
  readonly #budget: EvaluationBudget;
  readonly #explain: boolean;
  readonly #reasons = new Map<Candidate, string>();
  /** The bytes of each line in an effect, without its share; by position in the cart. */
  readonly #lineBytes: readonly number[];
  #candidates: readonly Candidate[] = [];
  #sliceEnds = STEPS_OF_SLICE;

  constructor(cart: OpenCart, budget: EvaluationBudget, explain: boolean) {
    this.#cart = cart;
    this.#budget = budget;
    this.#explain = explain;
    this.#lineBytes = cart.items.map(
      (item, index) =>
        bytesOf({ index, lineReference: item.lineReference ?? null, sku: item.sku, discountMinor: 0 }) - 1,
    );
  }

  /** Goes through all candidates, or until the budget is exceeded. Yields after each slice. */
  *goThrough(candidates: readonly Candidate[]): Generator<undefined, void, void> {
    this.#candidates = candidates;
    let exclusive: string | null = null;
    let compared = false;
    for (const candidate of candidates) {
      if (this.#budget.exceeded) return;
      if (this.#endsSlice()) yield;
      if (this.#reasons.has(candidate)) continue;
      const { policy, offer } = candidate.compiled;
      if (exclusive !== null) {
        this.#reasons.set(candidate, `Offer ${exclusive} applies alone.`);
        continue;
      }
      const why = this.#whyNot(candidate);
      if (why !== null) this.#reasons.set(candidate, why);
      else if (policy === 'exclusive' && this.effects[0]) {
        this.#reasons.set(
          candidate,
          `It applies alone, and offer ${this.effects[0].offerId} comes before it.`,
        );
      } else if (policy !== 'best_value') {
        if (this.#apply(candidate) && policy === 'exclusive') exclusive = offer.id;
      } else if (!compared) {
        compared = true;
        yield* this.#applyBest(candidates);
      }
    }
  }

  /** The offers that do not apply, where they are to be explained, or as many of them as the budget has room for. */
  rejections(): RejectedOffer[] {
    const rejections: RejectedOffer[] = [];
    if (!this.#explain) return rejections;
    for (const candidate of this.#candidates) {
      const reason = this.#reasons.get(candidate);
      if (reason === undefined) continue;
      const rejection = { offerId: candidate.compiled.offer.id, programId: candidate.view.id, reason };
      if (!this.#budget.takeBytes(bytesOf(rejection))) break;
      rejections.push(rejection);
    }
    return rejections;
  }

  #endsSlice(): boolean {
    if (this.#budget.steps < this.#sliceEnds) return false;
    this.#sliceEnds = this.#budget.steps + STEPS_OF_SLICE;
    return true;
  }

  #whyNot(candidate: Candidate): string | null {
    const { compiled, view } = candidate;
    if (candidate.why === undefined) {
      // Where the budget is exceeded the evaluation ends, whatever is said here.
      const mayLook = view.closed !== null || this.#budget.take(compiled.stepsOfCart(view.sizes));
      candidate.why = mayLook ? whyNot(compiled, view) : '';
    }
    return candidate.why;
  }

  /** Applies the `best_value` offer, of any priority, with the largest discount on what is left now. */
  *#applyBest(candidates: readonly Candidate[]): Generator<undefined, void, void> {
    const competing: Candidate[] = [];
    let best: { candidate: Candidate; off: number } | null = null;
    for (const candidate of candidates) {
      if (candidate.compiled.policy !== 'best_value' || this.#whyNot(candidate) !== null) continue;
      competing.push(candidate);
      const matched = this.#matched(candidate);
      if (!this.#budget.take(matched.length * STEPS_OF_SHARE)) return;
      if (this.#endsSlice()) yield;
      const off = discountOf(candidate.compiled.offer.effect, matched);
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
    if (!this.#budget.take(matched.length * STEPS_OF_SHARE)) return false;
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
    const effect = {
      offerId: offer.id,
      name: offer.name,
      programId: view.id,
      policy,
      kind: offer.effect.kind,
      discountMinor,
      explanation: explainEffect(offer.effect, extent, discountMinor, view.program.document.currency),
    };
    const bytes = bytesOf({ ...effect, lines: [] }) + this.#bytesOfLines(lines);
    if (!this.#budget.takeBytes(bytes)) return false;
    this.effects.push({ ...effect, lines });
    matched.forEach((line, index) => {
      line.leftMinor -= shares[index] ?? 0;
    });
    return true;
  }

  #bytesOfLines(lines: readonly MatchedLine[]): number {
    let bytes = 0;
    for (const { index, discountMinor } of lines) {
      bytes += (this.#lineBytes[index] ?? 0) + String(discountMinor).length;
    }
    return bytes;
  }

  #matched(candidate: Candidate): readonly DiscountableLine[] {
    const { compiled, view } = candidate;
    const { lines, items } = this.#cart;
    const { takesLine } = compiled;
    if (!takesLine) return lines;
    if (candidate.matched === null && !this.#budget.take(compiled.stepsOfLines(view.sizes))) return [];
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
