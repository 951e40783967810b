import { randomBytes } from 'node:crypto';
import { inTransaction } from '../../db/in-transaction.ts';
import type { Pool } from '../../db/pool.ts';
import { couponCodeHash } from '../../ledger/tables/coupon-codes.ts';
import { type AdministrationCode, isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { normalizeCode } from '../../rules/shared/coupon-code.ts';
import { type Administrator, writeAudit } from '../shared/admin-change.ts';
import { type CodePattern, guessBits, LEAST_GUESS_BITS } from './code-pattern.ts';
import { countCouponCodes, insertCouponCodes, type PoolName } from './coupon-code-statements.ts';
import { type CodeConnection, couponSecretOf, findPool } from './coupon-pools.ts';

export interface GenerateRequest extends PoolName {
  pattern: CodePattern;
  count: number;
}

/** Takes the codes: what it has taken is on the disk once `flush` has returned. */
export interface CodeSink {
  write(codes: readonly string[]): Promise<void>;
  flush(): Promise<void>;
}

export interface GeneratedCodes {
  count: number;
  /** How many codes the pool has now. */
  codes: number;
  /** How many guesses one code costs on average, as a power of two. */
  guessBits: number;
}

/** The caller interrupted it: nothing was stored. */
export class GenerationInterrupted extends Error {
  override name = 'GenerationInterrupted';
}

const CHUNK = 10_000;

/**
 * Adds generated codes to a pool: all of them, or none. Only their hashes are stored, in one transaction, which is
 * committed when the sink has all codes: so there is no code in the database that nobody has.
 * @returns refusals: those of `findPool`; `too_few_random_characters`
 * @throws GenerationInterrupted; what the sink throws
 */
export async function generateCodes(
  { pool, administrator }: { pool: Pool; administrator: Administrator },
  request: GenerateRequest,
  sink: CodeSink,
  { signal, onProgress }: { signal?: AbortSignal; onProgress?(done: number): void } = {},
): Promise<GeneratedCodes | Refusal<AdministrationCode>> {
  const { environmentId, pattern, count, programId, poolId } = request;
  const codePool = await findPool(administrator.prisma, request);
  if (isRefusal(codePool)) return codePool;
  const { rows } = await pool.query<{ codes: number }>(countCouponCodes(request));
  const codes = (rows[0]?.codes ?? 0) + count;
  const bits = guessBits(pattern, codes);
  if (bits < LEAST_GUESS_BITS) return tooGuessable(pattern, codes);
  const secret = await couponSecretOf(pool, environmentId);
  await inTransaction(pool, async (client) => {
    let createdCount = 0;
    while (createdCount < count) {
      if (signal?.aborted) throw new GenerationInterrupted('interrupted: no code was stored');
      const chunk = await insertChunk(client, request, secret, {
        usesAllowed: codePool.usesPerCode ?? 1,
        chunkSize: Math.min(CHUNK, count - createdCount),
      });
      await sink.write(chunk);
      createdCount += chunk.length;
      onProgress?.(createdCount);
    }
    await writeAudit(client, administrator, environmentId, {
      action: 'coupon_codes.generated',
      targetType: 'coupon_pool',
      targetId: poolId,
      changes: { programId, codes: count },
    });
    await sink.flush();
  });
  return { count, codes, guessBits: bits };
}

/** Inserts up to `chunkSize` new codes. @returns those that the program did not have yet */
export async function insertChunk(
  client: CodeConnection,
  request: GenerateRequest,
  secret: string,
  { usesAllowed, chunkSize }: { usesAllowed: number; chunkSize: number },
): Promise<string[]> {
  const { pattern } = request;
  const bytes = randomBytes(pattern.randomCharacters * chunkSize);
  const codes = new Map<string, string>();
  for (let index = 0; index < chunkSize; index += 1) {
    const start = index * pattern.randomCharacters;
    const code = pattern.make(bytes.subarray(start, start + pattern.randomCharacters));
    codes.set(couponCodeHash(secret, normalizeCode(code) ?? ''), code);
  }
  const hashed = [...codes].map(([codeHash, code]) => ({ codeHash, prefix: pattern.prefixOf(code) }));
  const { rows } = await client.query<{ code_hash: string }>(insertCouponCodes(request, usesAllowed, hashed));
  return rows.flatMap(({ code_hash }) => codes.get(code_hash) ?? []);
}

export function tooGuessable(pattern: CodePattern, codes: number): Refusal<AdministrationCode> {
  const missing = Math.ceil((LEAST_GUESS_BITS + Math.log2(codes) - pattern.randomBits) / 5);
  return refuse(
    'too_few_random_characters',
    `With ${codes} codes of ${pattern.randomCharacters} random characters, one guess in ` +
      `${Math.max(1, Math.floor(2 ** guessBits(pattern, codes)))} is a code; it has to be at most ` +
      `one in ${2 ** LEAST_GUESS_BITS}. Add ${missing} more # to the pattern.`,
  );
}
