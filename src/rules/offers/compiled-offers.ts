import type { Offer } from '../../programs/document/offer-document.ts';
import type { ProgramDocument } from '../../programs/document/program-document.ts';
import { compileSchedule } from '../calendar/schedule.ts';
import { compileProgram } from '../compiled/compiled-program.ts';
import { type CompiledAudiences, compileTargets } from '../conditions/audiences.ts';
import type { EvaluationFacts } from '../conditions/evaluation-facts.ts';
import { compileMatch } from '../conditions/match.ts';

/** An offer, compiled for evaluation. */
export interface CompiledOffer {
  offer: Offer;
  priority: number;
  policy: 'exclusive' | 'stack' | 'best_value';
  ofEnvironment: boolean;
  /** Null where the offer needs no coupon. */
  couponCodes: ReadonlySet<string> | null;
  /** @returns null where schedule, audiences and conditions match, else the reason why not. */
  whyNot(facts: EvaluationFacts): string | null;
  /**
   * Whether a line matches. @param facts with only that line in `items`. Null where the offer works on the whole cart.
   */
  takesLine: ((facts: EvaluationFacts) => boolean) | null;
}

const compiled = new WeakMap<ProgramDocument, readonly CompiledOffer[]>();

/**
 * Compiles the offers of a checked document, in the order in which they apply; the same object is compiled once, and
 * must not be changed afterwards.
 */
export function compileOffers(document: ProgramDocument): readonly CompiledOffer[] {
  let offers = compiled.get(document);
  if (!offers) {
    const timeZone = document.timeZone ?? 'UTC';
    const { audiences } = compileProgram(document);
    offers = (document.offers ?? [])
      .map((offer) => compileOffer(offer, audiences, timeZone))
      .sort(byPriority);
    compiled.set(document, offers);
  }
  return offers;
}

/** The order in which offers of one program apply: higher priority first; of equals, the smaller id. */
export function byPriority(a: CompiledOffer, b: CompiledOffer): number {
  return b.priority - a.priority || (a.offer.id < b.offer.id ? -1 : a.offer.id > b.offer.id ? 1 : 0);
}

function compileOffer(offer: Offer, audiences: CompiledAudiences, timeZone: string): CompiledOffer {
  const whyClosed = compileSchedule(offer.schedule, timeZone);
  const whyNotFor = compileTargets(offer.audiences, audiences);
  const whyNotCart = compileMatch(offer);
  const whyNotLine = offer.lines && compileMatch(offer.lines);
  return {
    offer,
    priority: offer.priority ?? 0,
    policy: offer.policy ?? 'stack',
    ofEnvironment: offer.scope === 'environment',
    couponCodes: offer.couponCodes ? new Set(offer.couponCodes) : null,
    whyNot: (facts) => whyClosed(facts.at) ?? whyNotFor(facts) ?? whyNotCart(facts),
    takesLine: whyNotLine ? (facts) => whyNotLine(facts) === null : null,
  };
}
