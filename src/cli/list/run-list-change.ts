import { readFile } from 'node:fs/promises';
import { MOST_MEMBERS } from '../../commands/members/label-members.ts';
import { CliFailure, EXIT } from '../shell/failure.ts';
import { withLabelling } from '../shell/labelling.ts';
import { hint, print } from '../shell/output.ts';
import { showProgress } from '../shell/progress.ts';
import type { Session } from '../shell/session.ts';

export interface ListOptions {
  environment: string;
  file?: string;
  actor?: string;
  json?: boolean;
}

export interface ListChange {
  list: string;
  /** True to add the customers to the list, false to remove them. */
  adds: boolean;
  /** externalCustomerIds; empty where they are read from a file. */
  customers: readonly string[];
}

/** How many customers are reported by id; further ones are only counted. */
const MOST_REPORTED = 20;

/** Adds customers to a list or removes them, a thousand in each transaction, and prints the outcome. */
export async function changeList(
  { list, adds, customers }: ListChange,
  options: ListOptions,
  session: Session,
): Promise<void> {
  const { interrupted } = session;
  const customerIds = options.file === undefined ? [...customers] : await readLines(options.file);
  const change = { kind: 'lists', labels: [list], adds } as const;
  const unknown: string[] = [];
  const full: string[] = [];
  let [changed, unchanged, done] = [0, 0, 0];
  const progress = showProgress(customerIds.length, 'customers');
  await withLabelling(session, options.environment, async (labelled) => {
    while (done < customerIds.length && !interrupted.aborted) {
      const chunk = customerIds.slice(done, done + MOST_MEMBERS);
      const outcome = await labelled(chunk, change);
      changed += outcome.changed;
      unchanged += outcome.unchanged;
      unknown.push(...outcome.unknown.flatMap((place) => chunk[place] ?? []));
      full.push(...outcome.full.flatMap((place) => chunk[place] ?? []));
      done += chunk.length;
      progress.update(done);
    }
  });
  progress.stop();
  reportCustomers(unknown, 'no member of this environment');
  reportCustomers(full, 'on 50 lists already');
  const result = { list, changed, unchanged, unknown, full, interrupted: interrupted.aborted };
  print(options.json, result, () => {
    const verb = adds ? 'added' : 'removed';
    return `${verb}: ${changed}\nunchanged: ${unchanged}\nnot ${verb}: ${unknown.length + full.length}`;
  });
  if (unknown.length + full.length > 0 || interrupted.aborted) process.exitCode = EXIT.failure;
}

/** The lines of a file, trimmed, without duplicates, empty lines and a byte order mark. */
async function readLines(file: string): Promise<string[]> {
  let text: string;
  try {
    const bytes = await readFile(file === '-' ? '/dev/stdin' : file);
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new CliFailure(`${file} cannot be read: ${(error as Error).message}`);
  }
  const lines = text.split('\n').map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ''))];
}

function reportCustomers(customers: readonly string[], reason: string): void {
  for (const customer of customers.slice(0, MOST_REPORTED)) hint(`${customer}: ${reason}`);
  const more = customers.length - MOST_REPORTED;
  if (more > 0) hint(`and ${more} more: ${reason}`);
}
