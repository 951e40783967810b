import { Zipf } from './zipf.ts';

/** A purchase of the load. It follows from its series and number alone, so it can be sent again. */
export interface BenchPurchase {
  idempotencyKey: string;
  sourceReference: string;
  externalCustomerId: string;
  amountMinor: number;
}

/** A series per scenario; purchases of different series never share keys or references. */
export type Series = 'a' | 'b' | 'c' | 'd' | 'j' | 'k0' | 'k' | 'm' | 'o' | 'w' | 'z';

/** The purchase of that number. Keys and references are spread over their indexes, like those of real shops. */
export function purchaseOf(series: Series, number: number, members: number): BenchPurchase {
  const scattered = scatter(number);
  const prefix = scattered.toString(16).padStart(8, '0');
  return {
    idempotencyKey: `${prefix}-${series}-${number}`,
    sourceReference: `order-${prefix}-${series}${number}`,
    externalCustomerId: buyerOf(series, number, members),
    // 1 to 20 dollars, so that the member of series `d` stays below the demo program's monthly limit.
    amountMinor: 100 + (scattered % 1_900),
  };
}

function buyerOf(series: Series, number: number, members: number): string {
  switch (series) {
    case 'd':
      return customerOf(0, members);
    case 'z':
      return skewedCustomerOf(number, members);
    default:
      return customerOf(number, members);
  }
}

/** The customer of a purchase or a read, in pseudo-random order. */
export function customerOf(number: number, members: number): string {
  return `customer-${scatter(number ^ 0x5bd1e995) % members}`;
}

/** The laws of skew by the number of members: each is computed once. */
const skews = new Map<number, Zipf>();

/** The same where few customers buy often. */
function skewedCustomerOf(number: number, members: number): string {
  const skew = skews.get(members) ?? new Zipf(members);
  skews.set(members, skew);
  return `customer-${skew.pick(scatter(number ^ 0x5bd1e995) / 2 ** 32)}`;
}

/** The customers in order, round after round. */
export function customerInTurn(number: number, members: number): string {
  return `customer-${number % members}`;
}

/** The mixing step of MurmurHash3: a permutation of the 32-bit integers without a pattern. */
export function scatter(number: number): number {
  let mixed = number | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
