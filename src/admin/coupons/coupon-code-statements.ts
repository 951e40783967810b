import { ENVIRONMENT_TIME, ENVIRONMENT_TIME_OF_STATEMENT } from '../../db/environment-time.ts';
import type { Statement } from '../../db/statement.ts';

/** A code as it is stored; `prefix` is its beginning, which may be shown. */
export interface HashedCode {
  /** As `couponCodeHash` makes it. */
  codeHash: string;
  prefix: string;
}

/** A pool that codes are added to. */
export interface PoolName {
  /** UUID. */
  environmentId: string;
  programId: string;
  /** The `code` of the coupon in the program's document. */
  poolId: string;
}

/** The revision tells processes that serve the environment to read the secret. */
export function makeCouponSecret(environmentId: string, secret: Buffer): Statement {
  return {
    name: 'make_coupon_secret',
    text: `update environments set coupon_secret = $2::bytea, revision = revision + 1
      where id = $1::uuid and coupon_secret is null`,
    values: [environmentId, secret],
  };
}

export function readCouponSecret(environmentId: string): Statement {
  return {
    name: 'read_coupon_secret',
    text: `select encode(coupon_secret, 'hex') as secret from environments where id = $1::uuid`,
    values: [environmentId],
  };
}

/** Inserts codes, and returns the hashes of those that the program did not have yet. */
export function insertCouponCodes(
  { environmentId, programId, poolId }: PoolName,
  usesAllowed: number,
  codes: readonly HashedCode[],
): Statement {
  return {
    name: 'insert_coupon_codes',
    text: `insert into coupon_codes (environment_id, program_id, code_hash, pool_id, prefix, uses, uses_allowed, created_at)
      select $1::uuid, $2, made.code_hash, $3, made.prefix, 0, $4::integer, ${ENVIRONMENT_TIME}
      from unnest($5::uuid[], $6::text[]) as made(code_hash, prefix)
      on conflict (environment_id, program_id, code_hash) do nothing
      returning code_hash`,
    values: [
      environmentId,
      programId,
      poolId,
      usesAllowed,
      codes.map(({ codeHash }) => codeHash),
      codes.map(({ prefix }) => prefix),
    ],
  };
}

export function countCouponCodes({ environmentId, programId, poolId }: PoolName): Statement {
  return {
    name: 'count_coupon_codes',
    text: `select count(*) as codes from coupon_codes
      where environment_id = $1::uuid and program_id = $2 and pool_id = $3`,
    values: [environmentId, programId, poolId],
  };
}

/** Which of the hashes are codes of the pool. */
export function findCouponCodes(
  { environmentId, programId, poolId }: PoolName,
  hashes: readonly string[],
): Statement {
  return {
    name: 'find_coupon_codes',
    text: `select c.code_hash
      from unnest($4::uuid[]) as wanted(code_hash)
      cross join lateral (
        select code_hash, pool_id from coupon_codes
        where environment_id = $1::uuid and program_id = $2 and code_hash = wanted.code_hash
        limit 1
      ) c
      where c.pool_id = $3`,
    values: [environmentId, programId, poolId, hashes],
  };
}

/** The codes of each pool of a program, counted. */
export function countPools(environmentId: string, programId: string): Statement {
  return {
    name: 'count_coupon_pools',
    text: `select pool_id, count(*) as codes, count(*) filter (where uses > 0) as used, sum(uses) as uses,
        count(*) filter (where assigned_to is not null) as assigned,
        count(*) filter (where disabled_at is not null) as disabled
      from coupon_codes
      where environment_id = $1::uuid and program_id = $2
      group by pool_id
      order by pool_id`,
    values: [environmentId, programId],
  };
}

/** The codes of a pool whose shown beginning begins so, in its order. */
export function listCouponCodes(
  { environmentId, programId, poolId }: PoolName,
  prefix: string,
  limit: number,
): Statement {
  return {
    name: 'list_coupon_codes',
    text: `select c.prefix, c.uses, c.uses_allowed, c.disabled_at, c.created_at, m.external_customer_id
      from (
        select * from coupon_codes
        where environment_id = $1::uuid and program_id = $2 and pool_id = $3
          and prefix >= $4 and starts_with(prefix, $4)
        order by prefix, code_hash
        limit $5::integer
      ) c
      left join members m on m.environment_id = $1::uuid and m.id = c.assigned_to
      order by c.prefix, c.code_hash`,
    values: [environmentId, programId, poolId, prefix, limit],
  };
}

/** A code, with the purchases that redeemed it, oldest first. */
export function showCouponCode(environmentId: string, programId: string, codeHash: string): Statement {
  return {
    name: 'show_coupon_code',
    text: `select c.pool_id, c.prefix, c.uses, c.uses_allowed, c.disabled_at, c.created_at, m.external_customer_id,
        (select coalesce(json_agg(json_build_object('transactionId', t.id, 'sourceReference', t.source_reference,
            'externalCustomerId', b.external_customer_id, 'at', t.created_at) order by t.created_at, t.id), '[]')
          from coupon_redemptions r
          join transactions t on t.environment_id = $1::uuid and t.id = r.transaction_id
          join members b on b.environment_id = $1::uuid and b.id = r.member_id
          where r.environment_id = $1::uuid and r.program_id = $2 and r.code_hash = $3::uuid) as redemptions
      from coupon_codes c
      left join members m on m.environment_id = $1::uuid and m.id = c.assigned_to
      where c.environment_id = $1::uuid and c.program_id = $2 and c.code_hash = $3::uuid`,
    values: [environmentId, programId, codeHash],
  };
}

/** Disables a code. Returns whether it was disabled before; no row where there is no such code. */
export function disableCouponCode(environmentId: string, programId: string, codeHash: string): Statement {
  return {
    name: 'disable_coupon_code',
    text: `with locked as (
        select pool_id, prefix, disabled_at from coupon_codes
        where environment_id = $1::uuid and program_id = $2 and code_hash = $3::uuid
        for update
      ), changed as (
        update coupon_codes set disabled_at = ${ENVIRONMENT_TIME_OF_STATEMENT}
        from locked
        where environment_id = $1::uuid and program_id = $2 and code_hash = $3::uuid and locked.disabled_at is null
      )
      select pool_id, prefix, disabled_at is not null as was_disabled from locked`,
    values: [environmentId, programId, codeHash],
  };
}
