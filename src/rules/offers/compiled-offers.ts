import type { Coupon } from '../../programs/campaign-document.ts';
import type { Offer } from '../../programs/offer-document.ts';
import type { ProgramDocument } from '../../programs/program-document.ts';
import { compileTargets } from '../audiences.ts';
import { compileProgram } from '../compiled-program.ts';
import type { EvaluationFacts } from '../evaluation-facts.ts';
import type { Clock } from '../local-time.ts';
import { compileMatch } from '../match.ts';
import { type CompiledSchedule, compileSchedule } from '../schedule.ts';

/** An offer made ready to be asked. */
export interface CompiledOffer {
  offer: Offer;
  priority: number;
  policy: 'exclusive' | 'stack' | 'best_value';
  ofEnvironment: boolean;
  /** Null where the offer needs no coupon. */
  couponCodes: ReadonlySet<string> | null;
  /** @returns null where schedule, audiences and conditions hold, else why they do not. */
  whyNot(facts: EvaluationFacts): string | null;
  /** @param facts with the one line as `items`. Null where the offer works on the whole cart. */
  takesLine: ((facts: EvaluationFacts) => boolean) | null;
}

/** A coupon made ready to be asked by carts, which look at it and never use it up (purchases: ../coupons.ts). */
export interface CompiledCoupon {
  limits: NonNullable<Coupon['limits']>;
  /** @returns null where schedule and audiences hold, else why they do not. */
  whyNot(facts: EvaluationFacts): string | null;
}

/** What of a document concerns carts. */
export interface CompiledOffers {
  /** In the order in which they apply. */
  offers: readonly CompiledOffer[];
  couponOf: ReadonlyMap<string, CompiledCoupon>;
  clock: Clock;
}

const compiled = new WeakMap<ProgramDocument, CompiledOffers>();

/** Compiles a checked document; the same object is compiled once, and must not be changed afterwards. */
export function compileOffers(document: ProgramDocument): CompiledOffers {
  let program = compiled.get(document);
  if (!program) {
    const timeZone = document.timeZone ?? 'UTC';
    const { audiences, clock } = compileProgram(document);
    const gate = ({ schedule, audiences: ids }: Pick<Offer, 'schedule' | 'audiences'>): CompiledGate =>
      compileGate(compileSchedule(schedule, timeZone), ids && compileTargets(ids, audiences));
    program = {
      offers: (document.offers ?? []).map((offer) => compileOffer(offer, gate(offer))).sort(byPriority),
      couponOf: new Map(
        (document.coupons ?? []).map((coupon) => [
          coupon.code,
          { limits: coupon.limits ?? {}, whyNot: gate(coupon) },
        ]),
      ),
      clock,
    };
    compiled.set(document, program);
  }
  return program;
}

/** The order in which offers of one program apply: higher priority first; of equals, the smaller id. */
export function byPriority(a: CompiledOffer, b: CompiledOffer): number {
  return b.priority - a.priority || (a.offer.id < b.offer.id ? -1 : a.offer.id > b.offer.id ? 1 : 0);
}

type CompiledGate = (facts: EvaluationFacts) => string | null;

function compileGate(whyClosed: CompiledSchedule, whyNotTarget: CompiledGate | undefined): CompiledGate {
  if (!whyNotTarget) return (facts) => whyClosed(facts.at);
  return (facts) =>
    whyClosed(facts.at) ??
    (facts.member === null ? 'It is for some members alone, and the customer is not known.' : null) ??
    whyNotTarget(facts);
}

function compileOffer(offer: Offer, gate: CompiledGate): CompiledOffer {
  const whyNotCart = compileMatch(offer);
  const whyNotLine = offer.lines && compileMatch(offer.lines);
  return {
    offer,
    priority: offer.priority ?? 0,
    policy: offer.policy ?? 'stack',
    ofEnvironment: offer.scope === 'environment',
    couponCodes: offer.couponCodes ? new Set(offer.couponCodes) : null,
    whyNot: (facts) => gate(facts) ?? whyNotCart(facts),
    takesLine: whyNotLine ? (facts) => whyNotLine(facts) === null : null,
  };
}
