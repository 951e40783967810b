import { existsSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import {
  type GeneratedCodes,
  GenerationInterrupted,
  generateCodes,
} from '../../admin/coupons/generate-codes.ts';
import { CliFailure, orFail } from '../shell/failure.ts';
import { hint, print } from '../shell/output.ts';
import { showProgress } from '../shell/progress.ts';
import type { Session } from '../shell/session.ts';
import type { GenerateOptions } from './coupon-options.ts';

/**
 * Makes codes and writes them to a file: first as FILE.part, which gets its name once the codes are stored.
 * @throws CliFailure where the file exists or cannot be written, where the pool refuses the pattern, and when
 *   interrupted
 */
export async function runGenerate(options: GenerateOptions, session: Session): Promise<void> {
  const { file, count, pool: poolId, program: programId, environment: environmentId, pattern } = options;
  const part = `${file}.part`;
  for (const path of [file, part]) if (existsSync(path)) throw exists(path);
  const request = { environmentId, programId, poolId, pattern, count };
  const handle = await openNew(part);
  const progress = showProgress(count, 'codes');
  let generated: GeneratedCodes;
  try {
    const sink = {
      write: (codes: readonly string[]) => handle.appendFile(`${codes.join('\n')}\n`),
      flush: () => handle.sync(),
    };
    const watch = { signal: session.interrupted, onProgress: progress.update };
    generated = orFail(await generateCodes(session, request, sink, watch));
  } catch (error) {
    await handle.close();
    await removeUnstored(part, error);
    throw error instanceof GenerationInterrupted ? new CliFailure(error.message) : error;
  } finally {
    progress.stop();
  }
  await handle.close();
  await rename(part, file);
  const { codes, guessBits } = generated;
  print(options.json, { poolId, file, count, codes, guessBits: Math.floor(guessBits) }, () =>
    [
      `${count} codes of pool ${poolId} are in ${file}; the pool has ${codes} now.`,
      `One guess in ${Math.floor(2 ** guessBits)} is a code.`,
    ].join('\n'),
  );
  hint(`Keep ${file}: the database has only hashes, and the codes cannot be exported again.`);
}

/**
 * Removes a file whose codes are not in the database. Where the connection broke off they may be there: then it stays.
 */
async function removeUnstored(part: string, error: unknown): Promise<void> {
  if (error instanceof CliFailure || error instanceof GenerationInterrupted) {
    await rm(part, { force: true });
    return;
  }
  hint(
    'It broke off. Compare with rewards coupon list: if the pool has these ' +
      `codes, ${part} is complete; otherwise remove it.`,
  );
}

async function openNew(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    throw new CliFailure(`${path} cannot be written: ${(error as Error).message}`);
  }
}

function exists(path: string): CliFailure {
  return new CliFailure(
    `${path} exists already. Codes are never written over a file: name another one, or remove it.`,
  );
}
