import type { Prisma } from '../../../generated/prisma/client.ts';
import type { GenerateCouponCodesInput, GenerateCouponCodesPayload } from '../../contract/generated/types.ts';
import type { Statement } from '../../db/statement.ts';
import { type AdministrationCode, isRefusal, type Refusal, refuse } from '../../refusal.ts';
import type { Administrator, AdminOutcome } from '../shared/admin-change.ts';
import { lockEnvironmentRow } from '../shared/find-environment.ts';
import { changeOnce, type KeyedReceipt } from '../shared/keyed-change.ts';
import { guessBits, LEAST_GUESS_BITS, PATTERN_RULE, readPattern } from './code-pattern.ts';
import { countCouponCodes } from './coupon-code-statements.ts';
import { type CodeConnection, couponSecretOf, findPool } from './coupon-pools.ts';
import { type GenerateRequest, insertChunk, tooGuessable } from './generate-codes.ts';

/** What is answered for generated codes, apart from what says which request it was. */
export type GeneratedReceipt = Omit<GenerateCouponCodesPayload, 'requestId' | 'idempotent'>;

/**
 * Adds generated codes to a pool, once for each idempotency key: all of them, or none. The stored receipt is without
 * the codes, so that a request that is sent again gets none.
 * @param environmentId UUID
 * @param input validated
 * @returns refusals: `validation_failed` for the pattern, `too_few_random_characters`, those of `findPool` and of
 *   `changeOnce`
 */
export async function generateOnce(
  administrator: Administrator,
  environmentId: string,
  input: GenerateCouponCodesInput,
): Promise<KeyedReceipt<GeneratedReceipt> | Refusal<AdministrationCode>> {
  const { programId, poolId, count } = input;
  const pattern = readPattern(input.pattern);
  if (pattern === null) {
    const message = `has to have ${PATTERN_RULE}`;
    return refuse('validation_failed', `The pattern ${message}.`, [{ path: 'pattern', message }]);
  }
  const request = { environmentId, programId, poolId, pattern, count };
  return changeOnce<GeneratedReceipt>(
    administrator,
    { environmentId, operation: 'generateCouponCodes', input },
    (transaction) => generate(transaction, request),
    (receipt) => ({ ...receipt, codes: null }),
  );
}

async function generate(
  transaction: Prisma.TransactionClient,
  request: GenerateRequest,
): Promise<AdminOutcome<GeneratedReceipt> | Refusal<AdministrationCode>> {
  const { environmentId, programId, poolId, pattern, count } = request;
  // One after the other, so that two together cannot have more codes than the pattern allows.
  const unknown = await lockEnvironmentRow(transaction, environmentId);
  if (unknown) return unknown;
  const found = await findPool(transaction, request);
  if (isRefusal(found)) return found;
  const connection = connectionOf(transaction);
  const { rows } = await connection.query<{ codes: number | bigint }>(countCouponCodes(request));
  const poolCodes = Number(rows[0]?.codes ?? 0) + count;
  if (guessBits(pattern, poolCodes) < LEAST_GUESS_BITS) return tooGuessable(pattern, poolCodes);
  const secret = await couponSecretOf(connection, environmentId);
  const codes: string[] = [];
  while (codes.length < count) {
    const wanted = { usesAllowed: found.usesPerCode ?? 1, chunkSize: count - codes.length };
    codes.push(...(await insertChunk(connection, request, secret, wanted)));
  }
  return {
    result: { programId, poolId, count, poolCodes, codes },
    audit: {
      action: 'coupon_codes.generated',
      targetType: 'coupon_pool',
      targetId: poolId,
      changes: { programId, codes: count },
    },
  };
}

function connectionOf(transaction: Prisma.TransactionClient): CodeConnection {
  return {
    query: async <Row extends object>({ text, values }: Statement) => ({
      rows: await transaction.$queryRawUnsafe<Row[]>(text, ...values),
    }),
  };
}
