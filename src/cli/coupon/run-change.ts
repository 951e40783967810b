import { disableCode } from '../../admin/coupon-codes.ts';
import { findEnvironment } from '../../admin/find-environment.ts';
import { orFail } from '../shell/failure.ts';
import { print } from '../shell/output.ts';
import type { Session } from '../shell/session.ts';
import type { CouponOptions } from './coupon.ts';

/** Disables a code for good. */
export async function runDisable(
  code: string,
  { environment, program, json }: CouponOptions,
  session: Session,
): Promise<void> {
  orFail(await findEnvironment(session.administrator.prisma, environment));
  const disabled = orFail(await disableCode(session, environment, program, code));
  print(json, disabled, () =>
    disabled.changed
      ? `${disabled.prefix}… of pool ${disabled.poolId} is disabled.`
      : `${disabled.prefix}… of pool ${disabled.poolId} is disabled already; nothing changed.`,
  );
}
