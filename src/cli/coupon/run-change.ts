import { disableCode } from '../../admin/coupons/coupon-codes.ts';
import { findEnvironment } from '../../admin/shared/find-environment.ts';
import { storedReceipt } from '../../commands/shared/receipts.ts';
import type { Receipt } from '../../contract/receipt.ts';
import { newUuid, toTypeId } from '../../ids.ts';
import { orFail } from '../shell/failure.ts';
import { print } from '../shell/output.ts';
import type { Session } from '../shell/session.ts';
import type { CouponOptions } from './coupon-options.ts';

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

/** Gives a code to a member. */
export async function runAssign(
  code: string,
  externalCustomerId: string,
  { environment: environmentId, program: programId, json }: CouponOptions,
  { administrator, config, database }: Session,
): Promise<void> {
  orFail(await findEnvironment(administrator.prisma, environmentId));
  // Loaded on demand: the other commands do not need them.
  const [{ openDoor }, { assignCouponCode }] = await Promise.all([
    import('../shell/door.ts'),
    import('../../commands/earning/assign-coupon-code.ts'),
  ]);
  const caller = { environmentId, actor: administrator.actor, requestId: toTypeId('req', newUuid()) };
  const input = { idempotencyKey: newUuid(), programId, code, externalCustomerId };
  const { door, close } = openDoor(database, config);
  const outcome = orFail(await door.submit(assignCouponCode(input, caller)).finally(close));
  const { couponCode } = storedReceipt<Receipt<'assignCouponCode'>>(outcome.receipt);
  print(
    json,
    couponCode,
    () => `${couponCode.prefix}… of pool ${couponCode.poolId} is for ${externalCustomerId} alone.`,
  );
}
