import { membersOnList } from '../../admin/list-members.ts';
import { findEnvironment } from '../../admin/shared/find-environment.ts';
import { orFail } from '../shell/failure.ts';
import { hint, print } from '../shell/output.ts';
import type { Session } from '../shell/session.ts';
import { writeOutput } from '../shell/write-output.ts';
import type { ListOptions } from './run-list-change.ts';

/** Prints the members on a list, or writes them to a file. */
export async function showList(
  list: string,
  { environment, file, json }: ListOptions,
  { administrator: { prisma } }: Session,
): Promise<void> {
  orFail(await findEnvironment(prisma, environment));
  let count = 0;
  const pages = async function* (): AsyncGenerator<string[]> {
    for await (const page of membersOnList(prisma, environment, list)) {
      count += page.length;
      yield page;
    }
  };
  if (file !== undefined) {
    const lines = async function* (): AsyncGenerator<string> {
      for await (const page of pages()) yield `${page.join('\n')}\n`;
    };
    await writeOutput('--file', file, lines());
    print(json, { list, count, file }, () => `${count} members written to ${file}`);
    return;
  }
  const members: string[] = [];
  for await (const page of pages()) members.push(...page);
  if (json) print(true, { list, count, members }, () => '');
  else if (count === 0) hint(`Nobody is on the list ${list}.`);
  else print(false, {}, () => members.join('\n'));
}
