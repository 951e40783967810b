import { once } from 'node:events';
import type { Command } from 'commander';
import { changeEnvironment } from '../../admin/shared/admin-change.ts';
import { findEnvironment } from '../../admin/shared/find-environment.ts';
import { toTypeId } from '../../ids.ts';
import { actorOption, jsonOption, requiredEnvironmentOption } from '../shell/arguments.ts';
import { CUSTOMER } from '../shell/customer.ts';
import { orFail, unknownMember } from '../shell/failure.ts';
import { hint, print, table } from '../shell/output.ts';
import { printable } from '../shell/printable.ts';
import { type Session, withSession } from '../shell/session.ts';

interface Options {
  environment: string;
  out?: string;
  actor?: string;
  json?: boolean;
}

/** Adds `rewards member export`. */
export function addMemberExportCommand(member: Command): void {
  member
    .command('export')
    .description('write all that is held about one member, as JSON')
    .argument('<customer>', CUSTOMER)
    .addOption(requiredEnvironmentOption())
    .option('--out <file>', 'write it there, for its owner alone to read (default: standard output)')
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
For a person who asks what is held about them: the member with consent records, profiles, transactions,
postings, lots, orders, returns, exchanges, redemptions, adjustments, events, challenges, choices, what was
reported to webhooks and the state of those deliveries, audit events, and idempotency keys with their
receipts. The audit trail notes that it was exported. With --json and --out, the number of rows of each list
is printed as JSON.

Examples:
  $ rewards member export customer-ada -e env_01h455vb4pex5vsknk084sn02q --out ada.json
  $ rewards member export customer-ada -e env_01h455vb4pex5vsknk084sn02q | jq .member
`,
    )
    .action((customer: string, options: Options) =>
      withSession(options, (session) => exportOne(customer, options, session)),
    );
}

async function exportOne(
  customer: string,
  options: Options,
  { administrator, pool }: Session,
): Promise<void> {
  const { environment, out, json } = options;
  orFail(await findEnvironment(administrator.prisma, environment));
  const [{ exportMember }, { findPerson }] = await Promise.all([
    import('../../export/member/member-export.ts'),
    import('../../queries/shared/find-person.ts'),
  ]);
  const person = await findPerson(pool, environment, customer);
  if (!person) throw unknownMember(customer);
  const memberId = toTypeId('mem', person.memberId);
  // Before anything is written: whoever has seen the data is in the audit trail.
  orFail(
    await changeEnvironment(administrator, environment, async () => ({
      result: {},
      audit: {
        action: 'member.exported',
        targetType: 'member',
        targetId: memberId,
        changes: { to: out === undefined ? 'standard output' : 'file' },
      },
    })),
  );
  if (out === undefined) {
    await exportMember(pool, person, writeToOutput);
    return;
  }
  const rows = await writeFile(out, (write) => exportMember(pool, person, write));
  hint(`All that is held about ${memberId} is in ${out}.`);
  print(json, { memberId, out, rows }, () => table(['list', 'rows'], Object.entries(rows)));
}

/** Waits where the reader of the pipe is slower. What a reader that has left would get is discarded. */
async function writeToOutput(text: string): Promise<void> {
  const { stdout } = process;
  if (stdout.writable && !stdout.write(printable(text))) await once(stdout, 'drain').catch(() => undefined);
}

async function writeFile<T>(
  path: string,
  work: (write: (text: string) => Promise<void>) => Promise<T>,
): Promise<T> {
  const { FileWriter } = await import('../../export/file-writer.ts');
  const writer = await FileWriter.open(path, 0o600);
  try {
    const done = await work((text) => writer.write(Buffer.from(text)));
    await writer.finish();
    return done;
  } catch (error) {
    await writer.discard();
    throw error;
  }
}
