import type { Command } from 'commander';
import { findEnvironment } from '../admin/shared/find-environment.ts';
import type { Erasure } from '../erasure/erase-member.ts';
import { actorOption, jsonOption, parseName, requiredEnvironmentOption } from './shell/arguments.ts';
import { CUSTOMER, customerOf } from './shell/customer.ts';
import { orFail } from './shell/failure.ts';
import { print } from './shell/output.ts';
import { type ProgressDisplay, showProgress } from './shell/progress.ts';
import { type Session, withSession } from './shell/session.ts';

interface Options {
  environment: string;
  reason: string;
  forfeit?: boolean;
  actor?: string;
  json?: boolean;
}

/** Adds `rewards member erase`. */
export function addEraseCommand(member: Command): void {
  member
    .command('erase')
    .description('erase what is stored about a member; its points history stays, under another id')
    .argument('<customer>', CUSTOMER)
    .requiredOption(
      '--reason <text>',
      'why, for the operation and the audit trail; name no person',
      parseName,
    )
    .option('--forfeit', 'let the points lapse that the member has, and end its enrollments')
    .addOption(requiredEnvironmentOption())
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
It cannot be undone. A member that is still in a program is refused without --forfeit. Where it was
interrupted, the same command finishes it. It also works while the environment is locked. Afterwards the id is
free for another member.

Examples:
  $ rewards member erase customer-ada --reason "request 4711" -e env_01h455vb4pex5vsknk084sn02q
  $ rewards member erase customer-ada --reason "request 4711" --forfeit -e env_01h455vb4pex5vsknk084sn02q
`,
    )
    .action(async (nameOrId: string, options: Options) => {
      const { customer, done } = await withSession(options, async (session) => {
        const customer = await customerOf(session, options.environment, nameOrId);
        return { customer, done: await erase(session, customer, options) };
      });
      print(options.json, done, () => describe(customer, done));
    });
}

async function erase(session: Session, customer: string, options: Options): Promise<Erasure> {
  const { administrator, config, database, pool } = session;
  // Loaded on demand: help and other commands do not need them.
  const [{ openDoor }, { eraseMember }, { vacuumErased }] = await Promise.all([
    import('./shell/door.ts'),
    import('../erasure/erase-member.ts'),
    import('../erasure/vacuum.ts'),
  ]);
  const { environment: environmentId, reason, forfeit = false } = options;
  orFail(await findEnvironment(administrator.prisma, environmentId));
  const { door, close } = openDoor(database, config);
  let progress: ProgressDisplay | null = null;
  const onProgress = (done: number, total: number): void => {
    progress ??= showProgress(total, 'tables');
    progress.update(done);
  };
  try {
    const request = { environmentId, externalCustomerId: customer, reason, forfeit };
    const done = orFail(await eraseMember({ administrator, pool, door, onProgress }, request));
    await vacuumErased(pool);
    return done;
  } finally {
    (progress as ProgressDisplay | null)?.stop();
    await close();
  }
}

function describe(
  customer: string,
  { externalCustomerId, forfeitedPoints, reason, resumed }: Erasure,
): string {
  const lines = [`${customer} is erased: the member is ${externalCustomerId} now.`];
  if (forfeitedPoints > 0) lines.push(`${forfeitedPoints} points were forfeited.`);
  lines.push(`Reason: ${reason}`);
  if (resumed) {
    lines.push(
      `This finished an erasure that had been interrupted. A new member ${customer} was not looked at.`,
    );
  }
  return lines.join('\n');
}
