import type { Schedule } from './campaign-document.ts';
import type { Condition } from './document-values.ts';

/** The section of a program document on carts. Evaluating it changes nothing. */
export interface Offer {
  id: string;
  name: string;
  /** `program`: for carts that name this program. `environment`: for every cart of the environment. `program` where absent. */
  scope?: 'program' | 'environment';
  schedule?: Schedule;
  /** Ids of audiences of this document; everyone where absent. Without a known member only offers for everyone apply. */
  audiences?: string[];
  match: 'all' | 'any';
  /** On `cart.…`, `items.…`, `context.…`, `profile.…`, `history.…`, `member.…`, `time.…`. */
  conditions: Condition[];
  /** Applies only with one of these codes. */
  couponCodes?: string[];
  /** Higher first; of equals, the smaller id. 0 where absent. */
  priority?: number;
  /**
   * `exclusive`: applies alone, where nothing came before it. `stack`: on top of what came before. `best_value`: of all
   * best_value offers that hold, the one with the largest discount. `stack` where absent.
   */
  policy?: 'exclusive' | 'stack' | 'best_value';
  /** The lines that it works on; the whole cart where absent. */
  lines?: { match: 'all' | 'any'; conditions: Condition[] };
  effect: OfferEffect;
}

/** Of what is left of the matched lines after the offers before it; never below zero. Money in minor units. */
export type OfferEffect =
  | { kind: 'percent' /** Hundredths of a percent: 1250 is 12.5 %. */; basisPoints: number }
  /** Off the matched lines together. */
  | { kind: 'amount'; amountMinor: number }
  /** Each unit of the matched lines costs this, where it costs more. */
  | { kind: 'fixed_price'; unitPriceMinor: number }
  /** For each `buy` units matched, the cheapest `free` of them. */
  | { kind: 'free_item'; buy: number; free: number };
