import type { Schedule } from './campaign-document.ts';
import type { Condition } from './document-values.ts';

/** A discount on carts. Evaluating it changes nothing. */
export interface Offer {
  id: string;
  name: string;
  /** `program`: for carts that name this program; `environment`: for every cart. `program` where absent. */
  scope?: 'program' | 'environment';
  schedule?: Schedule;
  /**
   * Ids of audiences of this document; everyone where absent. To an unknown customer only offers for everyone apply.
   */
  audiences?: string[];
  match: 'all' | 'any';
  /** On `cart.…`, `items.…`, `context.…`, `profile.…`, `history.…`, `member.…`, `time.…`. */
  conditions: Condition[];
  /** Applies only with one of these codes. */
  couponCodes?: string[];
  /** Higher first; of equals, the smaller id. 0 where absent. */
  priority?: number;
  /**
   * `exclusive`: applies alone, where no offer applied before it. `stack`: applies in addition to the offers before it.
   * `best_value`: of all best_value offers that match, only the one with the largest discount applies. `stack` where
   * absent.
   */
  policy?: 'exclusive' | 'stack' | 'best_value';
  /** The lines that it works on; the whole cart where absent. */
  lines?: { match: 'all' | 'any'; conditions: Condition[] };
  effect: OfferEffect;
}

/**
 * A discount on what is left of the matched lines after the offers before it; never below zero. Money in minor units.
 */
export type OfferEffect =
  | { kind: 'percent' /** Hundredths of a percent: 1250 is 12.5 %. */; basisPoints: number }
  /** Off the matched lines together. */
  | { kind: 'amount'; amountMinor: number }
  /** Each unit of the matched lines that costs more costs this. */
  | { kind: 'fixed_price'; unitPriceMinor: number }
  /** For every `buy` matched units, the `free` cheapest ones are free. */
  | { kind: 'free_item'; buy: number; free: number };
