import { arrayLiteral } from '../db/array-literal.ts';
import type { Connections } from '../db/pool.ts';
import type { CouponUse } from '../rules/compiled/coupons.ts';

/**
 * Reads how often coupons were redeemed in programs, by all members and by one member, from the counters of purchases
 * (src/commands/earning/earning-counters.ts).
 * @param memberId UUID; null for no member, whose uses are 0
 * @returns the uses by program id
 */
export async function readCouponUses(
  connections: Connections,
  environmentId: string,
  coupons: readonly { programId: string; couponId: string }[],
  memberId: string | null,
): Promise<Map<string, CouponUse>> {
  const { rows } = await connections.query<{ program_id: string } & CouponUse>({
    name: 'read_coupon_uses',
    text: `select wanted.program_id,
        coalesce((select taken from shared_counters
          where environment_id = $1::uuid and program_id = wanted.program_id and counter_id = wanted.counter_id), 0) as total,
        coalesce((select sum(points)::bigint from limit_counters
          where environment_id = $1::uuid and member_id = $4::uuid and program_id = wanted.program_id
            and limit_id = wanted.counter_id), 0) as member
      from unnest($2::text[], $3::text[]) as wanted(program_id, counter_id)`,
    values: [
      environmentId,
      arrayLiteral(coupons.map(({ programId }) => programId)),
      arrayLiteral(coupons.map(({ couponId }) => `coupon:${couponId}`)),
      memberId,
    ],
  });
  return new Map(rows.map(({ program_id, total, member }) => [program_id, { total, member }]));
}
