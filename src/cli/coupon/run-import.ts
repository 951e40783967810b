import { readFile } from 'node:fs/promises';
import { codeImporter } from '../../admin/coupons/import-codes.ts';
import { CliFailure, EXIT, orFail } from '../shell/failure.ts';
import { hint, print } from '../shell/output.ts';
import { showProgress } from '../shell/progress.ts';
import type { Session } from '../shell/session.ts';
import type { CouponOptions } from './coupon-options.ts';

const CHUNK = 5_000;
const MOST_REPORTED = 20;

/**
 * Adds the codes of a file to a pool, and sets the exit code to 1 where lines were rejected or not processed.
 * @throws CliFailure where the file cannot be read, and for an unknown program or pool
 */
export async function runCodeImport(
  file: string,
  { environment: environmentId, program: programId, pool: poolId, json }: CouponOptions & { pool: string },
  session: Session,
): Promise<void> {
  const lines = await readLines(file);
  const importCodes = orFail(await codeImporter(session, { environmentId, programId, poolId }));
  const rejected: { line: number; why: string }[] = [];
  let [imported, unchanged, done] = [0, 0, 0];
  const progress = showProgress(lines.length, 'codes');
  while (done < lines.length && !session.interrupted.aborted) {
    const chunk = lines.slice(done, done + CHUNK);
    const result = await importCodes(chunk.map(({ code }) => code));
    imported += result.imported;
    unchanged += result.unchanged;
    rejected.push(...result.rejected.map(({ index, why }) => ({ line: chunk[index]?.line ?? 0, why })));
    done += chunk.length;
    progress.update(done);
  }
  progress.stop();
  const { aborted: interrupted } = session.interrupted;
  print(json, { poolId, imported, unchanged, rejected, interrupted }, () =>
    [
      `imported   ${imported}`,
      `unchanged  ${unchanged}: they were there already`,
      `rejected   ${rejected.length}`,
    ].join('\n'),
  );
  if (!json) for (const { line, why } of rejected.slice(0, MOST_REPORTED)) hint(`line ${line}: ${why}`);
  const more = rejected.length - MOST_REPORTED;
  if (more > 0 && !json) hint(`and ${more} more; see all with --json`);
  if (interrupted) hint('Interrupted. Run the same command again to finish.');
  if (rejected.length > 0 || interrupted) process.exitCode = EXIT.failure;
}

/** The lines of a file that are not empty, with their numbers. */
async function readLines(file: string): Promise<{ line: number; code: string }[]> {
  let text: string;
  try {
    const bytes = await readFile(file === '-' ? '/dev/stdin' : file);
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new CliFailure(`${file} cannot be read: ${(error as Error).message}`);
  }
  return text
    .split('\n')
    .map((line, index) => ({ line: index + 1, code: line.trim() }))
    .filter(({ code }) => code !== '');
}
