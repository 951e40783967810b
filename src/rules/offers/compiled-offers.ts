import type { Offer } from '../../programs/document/offer-document.ts';
import type { ProgramDocument } from '../../programs/document/program-document.ts';
import { compileSchedule } from '../calendar/schedule.ts';
import { compileProgram } from '../compiled/compiled-program.ts';
import { type CompiledAudiences, compileTargets, remembering } from '../conditions/audiences.ts';
import type { EvaluationFacts } from '../conditions/evaluation-facts.ts';
import { compileMatch } from '../conditions/match.ts';
import {
  compileSteps,
  type FieldSizes,
  STEPS_OF_LOCAL_TIME,
  STEPS_OF_SHARE,
} from '../shared/evaluation-steps.ts';
import { STEPS_OF_OFFER, smallestSizes } from './evaluation-budget.ts';

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
  /** The most steps that `whyNot` takes, apart from audiences. */
  stepsOfCart(sizes: FieldSizes): number;
  /** The most steps that `takesLine` takes for all lines together. */
  stepsOfLines(sizes: FieldSizes): number;
}

/** The offers of a document, compiled for evaluation. */
export interface CompiledOffers {
  /** In the order in which they apply. */
  offers: readonly CompiledOffer[];
  /** Those of them that apply to carts that name another program, too. */
  ofEnvironment: readonly CompiledOffer[];
  /** The most steps that the audiences of the offers and of a coupon take. */
  stepsOfAudiences(sizes: FieldSizes, couponCode: string | null): number;
}

const compiled = new WeakMap<ProgramDocument, CompiledOffers>();

/** Compiles the offers of a checked document; the same object is compiled once, and must not be changed afterwards. */
export function compileOffers(document: ProgramDocument): CompiledOffers {
  let compiledOffers = compiled.get(document);
  if (!compiledOffers) {
    const timeZone = document.timeZone ?? 'UTC';
    // Many offers may name the same audiences.
    const audiences = remembering(compileProgram(document).audiences);
    const offers = (document.offers ?? [])
      .map((offer) => compileOffer(offer, audiences, timeZone))
      .sort(byPriority);
    compiledOffers = {
      offers,
      ofEnvironment: offers.filter(({ ofEnvironment }) => ofEnvironment),
      stepsOfAudiences: compileAudienceSteps(document),
    };
    compiled.set(document, compiledOffers);
  }
  return compiledOffers;
}

/**
 * The steps of an evaluation for the smallest cart: those that every evaluation takes at most for one line of an
 * unknown customer.
 * @param which whether the cart names the program of the document
 */
export function stepsOfSmallestCart(document: ProgramDocument, which: 'named' | 'other'): number {
  let steps = compileAudienceSteps(document)(smallestSizes, null);
  for (const offer of document.offers ?? []) {
    if (which === 'other' && offer.scope !== 'environment') continue;
    const { stepsOfCart, stepsOfLines } = compileOfferSteps(offer);
    steps += stepsOfCart(smallestSizes) + stepsOfLines(smallestSizes) + STEPS_OF_SHARE;
  }
  return steps;
}

function compileAudienceSteps({ offers = [], audiences = [], coupons = [] }: ProgramDocument) {
  const stepsOf = new Map(audiences.map(({ id, conditions }) => [id, compileSteps(conditions, 'cart')]));
  const named = [...new Set(offers.flatMap((offer) => offer.audiences ?? []))];
  return (sizes: FieldSizes, couponCode: string | null): number => {
    const ofCoupon = coupons.find(({ code }) => code === couponCode)?.audiences ?? [];
    return [...named, ...ofCoupon].reduce((steps, id) => steps + (stepsOf.get(id)?.(sizes) ?? 0), 1);
  };
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
    ...compileOfferSteps(offer),
  };
}

function compileOfferSteps({
  schedule,
  audiences = [],
  conditions,
  lines,
}: Offer): Pick<CompiledOffer, 'stepsOfCart' | 'stepsOfLines'> {
  const localTime = schedule?.daysOfWeek || schedule?.hours ? STEPS_OF_LOCAL_TIME : 0;
  const fixed = STEPS_OF_OFFER + localTime + audiences.length;
  const ofConditions = compileSteps(conditions, 'cart');
  return {
    stepsOfCart: (sizes) => fixed + ofConditions(sizes),
    stepsOfLines: compileSteps(lines?.conditions ?? [], 'each_line'),
  };
}
