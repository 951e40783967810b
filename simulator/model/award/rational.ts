import type { Rounding } from '../../../src/programs/document/document-values.ts';

/** A rational number, kept reduced. Rounding searches for the integers next to it instead of dividing. */
export class Rational {
  readonly n: bigint;
  readonly d: bigint;

  constructor(n: number | bigint, d: number | bigint = 1) {
    const common = gcd(BigInt(n), BigInt(d));
    this.n = BigInt(n) / common;
    this.d = BigInt(d) / common;
  }

  times(n: number | bigint, d: number | bigint = 1): Rational {
    return new Rational(this.n * BigInt(n), this.d * BigInt(d));
  }

  minus(other: Rational): Rational {
    return new Rational(this.n * other.d - other.n * this.d, this.d * other.d);
  }

  /** Of a number that is not negative. */
  round(how: Rounding): bigint {
    const below = this.n / this.d;
    if (below * this.d === this.n) return below;
    const above = below + 1n;
    if (how === 'floor') return below;
    if (how === 'ceil') return above;
    const toBelow = this.minus(new Rational(below)).n;
    const toAbove = new Rational(above).minus(this).n;
    if (toBelow !== toAbove) return toBelow < toAbove ? below : above;
    if (how === 'nearest_half_up') return above;
    return below % 2n === 0n ? below : above;
  }
}

function gcd(a: bigint, b: bigint): bigint {
  return b === 0n ? (a < 0n ? -a : a || 1n) : gcd(b, a % b);
}
