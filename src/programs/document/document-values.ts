/** What the sections of a program document are made of. */

export type ConditionOperator =
  | 'equals'
  | 'not_equals'
  | 'in'
  | 'not_in'
  | 'gt'
  | 'gte'
  | 'lt'
  | 'lte'
  | 'between'
  | 'exists';

export type ConditionScalar = string | number | boolean;

export interface Condition {
  /** One of src/programs/document/condition-fields.ts; the part of the document decides which are allowed. */
  field: string;
  operator: ConditionOperator;
  /** One value; a list for `in` and `not_in`; `[low, high]`, both included, for `between`; a boolean for `exists`. */
  value: ConditionScalar | ConditionScalar[];
}

/**
 * The lines of a purchase that an earn rule or campaign works on; `none` for the part of the amount that no line
 * explains.
 */
export type LineSelection =
  | 'none'
  | { match: 'all' | 'any' /** On `items.…`, all of the same line. */; conditions: Condition[] };

export type Rounding = 'floor' | 'ceil' | 'nearest_half_up' | 'nearest_half_even';

/** An exact positive fraction of integers. */
export interface Fraction {
  numerator: number;
  denominator: number;
}

export type LimitPeriod = 'day' | 'week' | 'month' | 'year' | 'lifetime';
