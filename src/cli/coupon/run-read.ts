import { countCodesOfPools, listCodes, type ShownCode, showCode } from '../../admin/coupons/coupon-codes.ts';
import { findEnvironment } from '../../admin/shared/find-environment.ts';
import { toTypeId } from '../../ids.ts';
import { couponCodeState } from '../../ledger/tables/coupon-codes.ts';
import { orFail } from '../shell/failure.ts';
import { hint, instant, print, table } from '../shell/output.ts';
import type { Session } from '../shell/session.ts';
import type { CouponOptions } from './coupon-options.ts';

/** Counts the codes of each pool of a program, or lists codes of one. */
export async function runList(
  options: CouponOptions & { pool?: string; prefix?: string; limit: number },
  { administrator, pool }: Session,
): Promise<void> {
  const { environment: environmentId, program: programId, pool: poolId, prefix = '', limit, json } = options;
  orFail(await findEnvironment(administrator.prisma, environmentId));
  if (poolId === undefined) {
    const pools = await countCodesOfPools(pool, environmentId, programId);
    if (pools.length === 0 && !json) hint(`${programId} has no codes.`);
    else {
      print(json, { pools }, () =>
        table(
          ['pool', 'codes', 'used', 'uses', 'assigned', 'disabled'],
          pools.map((each) => [each.poolId, each.codes, each.used, each.uses, each.assigned, each.disabled]),
        ),
      );
    }
    return;
  }
  // One more than is shown, to know whether there are more.
  const rows = await listCodes(pool, { environmentId, programId, poolId }, prefix, limit + 1);
  const codes = rows.slice(0, limit);
  print(json, { codes, hasMore: rows.length > limit }, () =>
    table(
      ['begins', 'uses', 'state', 'assigned to', 'created'],
      codes.map((code) => [
        `${code.prefix}…`,
        `${code.uses}/${code.usesAllowed}`,
        couponCodeState(code),
        code.assignedTo ?? '-',
        instant(code.createdAt),
      ]),
    ),
  );
  if (rows.length > limit && !json) hint(`There are more: name a longer --prefix, or a higher --limit.`);
}

/** Prints what is known of a code. */
export async function runShow(
  code: string,
  { environment, program, json }: CouponOptions,
  { administrator, pool }: Session,
): Promise<void> {
  orFail(await findEnvironment(administrator.prisma, environment));
  const shown = orFail(await showCode(pool, environment, program, code));
  const redemptions = shown.redemptions.map((each) => ({
    ...each,
    transactionId: toTypeId('txn', each.transactionId),
  }));
  print(json, { ...shown, state: couponCodeState(shown), redemptions }, () => describe(shown, redemptions));
}

function describe(code: ShownCode, redemptions: ShownCode['redemptions']): string {
  const { poolId, prefix, uses, usesAllowed, assignedTo, createdAt } = code;
  return [
    `${prefix}… of pool ${poolId}: ${couponCodeState(code)}`,
    `uses      ${uses} of ${usesAllowed}`,
    `assigned  ${assignedTo ?? 'to nobody: anyone may redeem it'}`,
    `created   ${instant(createdAt)}`,
    ...redemptions.map(
      ({ transactionId, sourceReference, externalCustomerId, at }) =>
        `redeemed  ${instant(new Date(at))} by ${externalCustomerId} with order ${sourceReference} (${transactionId})`,
    ),
  ].join('\n');
}
