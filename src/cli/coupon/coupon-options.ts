import type { CodePattern } from '../../admin/coupons/code-pattern.ts';

/** The options of every command on codes. `environment` is a UUID. */
export interface CouponOptions {
  environment: string;
  program: string;
  actor?: string;
  json?: boolean;
}

/** The options of `rewards coupon generate`. */
export interface GenerateOptions extends CouponOptions {
  pool: string;
  count: number;
  pattern: CodePattern;
  file: string;
}
