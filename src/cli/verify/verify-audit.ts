import { type Command, InvalidArgumentError } from 'commander';
import { findEnvironment } from '../../admin/shared/find-environment.ts';
import type { AuditHead, AuditVerdict } from '../../queries/audit/verify-audit.ts';
import { jsonOption, requiredEnvironmentOption } from '../shell/arguments.ts';
import { EXIT, orFail } from '../shell/failure.ts';
import { print, table } from '../shell/output.ts';
import { type ProgressDisplay, showProgress } from '../shell/progress.ts';
import { withSession } from '../shell/session.ts';

interface Options {
  environment: string;
  noted?: AuditHead;
  json?: boolean;
}

/** Adds `rewards verify audit`. */
export function addVerifyAuditCommand(verify: Command): void {
  verify
    .command('audit')
    .description('compute the hash chain of the audit trail again, and say where it breaks')
    .addOption(requiredEnvironmentOption())
    .option(
      '--noted <position:hash>',
      'a head that was noted down earlier: the chain must lead through it',
      parseHead,
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Ends with 1 if an event was changed, removed, added or moved after it was sealed. Whoever can write the
database can also compute a whole new chain: note down what "rewards audit head" prints elsewhere, and give it
with --noted.

Examples:
  $ rewards verify audit -e env_01h455vb4pex5vsknk084sn02q
  $ rewards verify audit -e env_01h455vb4pex5vsknk084sn02q --noted 1204:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
`,
    )
    .action(({ environment, noted, json }: Options) =>
      withSession({}, async ({ administrator, pool }) => {
        orFail(await findEnvironment(administrator.prisma, environment));
        const { verifyAudit } = await import('../../queries/audit/verify-audit.ts');
        const client = await pool.connect();
        let progress: ProgressDisplay | null = null;
        const verdict = await verifyAudit(client, environment, {
          noted: noted ?? null,
          onProgress(done, total) {
            progress ??= showProgress(total, 'events');
            progress.update(done);
          },
        }).finally(() => client.release());
        (progress as ProgressDisplay | null)?.stop();
        const passed = verdict.breakCount === 0;
        print(json, { passed, ...verdict }, () => describe(verdict));
        if (!passed) process.exitCode = EXIT.failure;
      }),
    );
}

function parseHead(text: string): AuditHead {
  const [, position = '', hash = ''] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (hash === '')
    throw new InvalidArgumentError('It must be POSITION:HASH, as `rewards audit head` prints it.');
  return { position: Number(position), hash };
}

function describe({ head, checked, breaks, breakCount }: AuditVerdict): string {
  if (breakCount === 0)
    return `All ${checked} sealed events are unchanged. Head: ${head.position}:${head.hash}`;
  const rows = breaks.map(({ position, eventId, problem }) => [position ?? '-', eventId ?? '-', problem]);
  const more = breakCount > breaks.length ? [`and ${breakCount - breaks.length} more`] : [];
  return [
    table(['position', 'event', 'problem'], rows),
    ...more,
    '',
    `The chain is broken: ${checked} sealed events, ${breakCount} ${breakCount === 1 ? 'break' : 'breaks'}.`,
  ].join('\n');
}
