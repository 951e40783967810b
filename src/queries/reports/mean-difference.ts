import jstat from 'jstat';

/** How a quantity is distributed over the members of a group. */
export interface Sample {
  members: number;
  mean: number;
  /** Of the sample, with `members - 1`; 0 for one member. */
  variance: number;
}

/**
 * The difference of two means with its interval of 95 percent; no interval where a group has fewer than two members.
 */
export interface MeanDifference {
  difference: number;
  low: number | null;
  high: number | null;
}

const CONFIDENCE = 0.95;

/**
 * By how much the mean of one group is above that of another, with the interval by Welch: the groups may differ in size
 * and variance. The quantile of Student's t distribution is the library's.
 */
export function meanDifference(one: Sample, other: Sample): MeanDifference {
  const difference = one.mean - other.mean;
  const [ofOne, ofOther] = [one, other].map(({ variance, members }) => variance / members) as [
    number,
    number,
  ];
  const squaredError = ofOne + ofOther;
  if (one.members < 2 || other.members < 2) return { difference, low: null, high: null };
  if (squaredError === 0) return { difference, low: difference, high: difference };
  const freedom = squaredError ** 2 / (ofOne ** 2 / (one.members - 1) + ofOther ** 2 / (other.members - 1));
  const margin = jstat.studentt.inv((1 + CONFIDENCE) / 2, freedom) * Math.sqrt(squaredError);
  return { difference, low: difference - margin, high: difference + margin };
}
