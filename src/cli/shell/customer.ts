import { type Command, Option } from 'commander';
import { fromTypeId } from '../../ids.ts';
import type { Session } from './session.ts';

/** What an argument or option that names a member takes. */
export const CUSTOMER = "the member's externalCustomerId, or its mem_…";

/** The names that the API has for it: whoever copies one of them is understood. */
const OTHER_NAMES = ['external-customer-id', 'member-id'];

/** Adds `--customer <id>`. @param conflicts the name of an option that does not go with it */
export function addCustomerOption(command: Command, description: string, conflicts?: string): Command {
  const named = (name: string): Option => {
    const option = new Option(`--${name} <id>`, description);
    return conflicts === undefined ? option : option.conflicts(conflicts);
  };
  command.addOption(named('customer'));
  for (const name of OTHER_NAMES) {
    command.addOption(named(name).hideHelp());
    command.on(`option:${name}`, (id: string) => command.setOptionValueWithSource('customer', id, 'cli'));
  }
  return command;
}

/**
 * The externalCustomerId of the member that a command line names.
 * @param environmentId UUID
 * @param nameOrId an externalCustomerId, which is returned as it is, also where nobody has it; or else a `mem_…`
 */
export async function customerOf(
  { pool }: Pick<Session, 'pool'>,
  environmentId: string,
  nameOrId: string,
): Promise<string> {
  if (fromTypeId('mem', nameOrId) === null) return nameOrId;
  const { findPerson } = await import('../../queries/shared/find-person.ts');
  return (await findPerson(pool, environmentId, nameOrId))?.externalCustomerId ?? nameOrId;
}
