import type { Command } from 'commander';
import { toTypeId } from '../../ids.ts';
import type { RecordedAward } from '../../queries/transactions/recorded-award.ts';
import type { AwardVerdict } from '../../queries/transactions/verify-award.ts';
import { environmentOption, jsonOption, parseId } from '../shell/arguments.ts';
import { CliFailure, EXIT } from '../shell/failure.ts';
import { print } from '../shell/output.ts';
import { withSession } from '../shell/session.ts';

const parseTransactionId = parseId('txn', 'A purchase is answered with its own: txn_…');

/** Adds `rewards verify award`. */
export function addVerifyAwardCommand(verify: Command): void {
  verify
    .command('award')
    .description(
      'compute the award of a purchase again from its evidence, and say how every point came about',
    )
    .argument('<transaction>', 'id of the purchase (txn_…)', parseTransactionId)
    .addOption(environmentOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Uses what is stored with the purchase: its receipt's evidence, its order's lines and the configuration version that it
was evaluated under. Ends with 1 if anything differs from what was posted, or if there is no such purchase.

Examples:
  $ rewards verify award txn_01jz8k2v9xe6tr8p2w4y6z8abc
  $ rewards verify award txn_01jz8k2v9xe6tr8p2w4y6z8abc --json
`,
    )
    .action((id: string, options: { environment?: string; json?: boolean }) =>
      withSession({}, async ({ pool }) => {
        const [{ readRecordedAward }, { verifyAward }] = await Promise.all([
          import('../../queries/transactions/recorded-award.ts'),
          import('../../queries/transactions/verify-award.ts'),
        ]);
        const outerId = toTypeId('txn', id);
        const award = await readRecordedAward(pool, id, options.environment ?? null);
        if (!award)
          throw new CliFailure(
            `There is no transaction ${outerId}${whereOf(options.environment)}. ` +
              'Those of a period: rewards export transactions',
          );
        if ('eventType' in award) {
          throw new CliFailure(`${outerId} is no purchase (${award.eventType}): it has no award.`);
        }
        const verdict = verifyAward(award);
        const equal = verdict.differences.length === 0;
        print(options.json, { ...headOf(award), equal, ...verdict }, () => describe(award, verdict));
        if (!equal) process.exitCode = EXIT.failure;
      }),
    );
}

function whereOf(environmentId: string | undefined): string {
  return environmentId === undefined ? '' : ` in ${toTypeId('env', environmentId)}`;
}

function headOf({ transactionId, environmentId, programId, receipt, posted }: RecordedAward): object {
  const { configurationVersion, award } = receipt;
  return {
    transactionId: toTypeId('txn', transactionId),
    environmentId: toTypeId('env', environmentId),
    programId,
    configurationVersion,
    award,
    posted,
  };
}

function describe(award: RecordedAward, { circumstances, steps, differences }: AwardVerdict): string {
  return [
    ...circumstances,
    '',
    ...steps.map((step, index) => `${String(index + 1).padStart(2)}. ${step}`),
    '',
    ...(differences.length === 0
      ? [`The same as what was posted: ${award.posted.postings} points.`]
      : [
          'DIFFERENT from what is stored:',
          ...differences.map(
            ({ what, computed, stored }) =>
              `  ${what}: computed ${JSON.stringify(computed)}, stored ${JSON.stringify(stored)}`,
          ),
        ]),
  ].join('\n');
}
