import { type Refusal, refuse } from '../../refusal.ts';

/**
 * The refusal of a publication by somebody who knows another newest version than there is.
 * @param name of what is published
 * @param expected 0 for none, as `newest`
 */
export function refuseVersion(name: string, expected: number, newest: number): Refusal<'version_conflict'> {
  const present = newest === 0 ? 'it has no version' : `its newest version is ${newest}`;
  return refuse(
    'version_conflict',
    `${name} was expected to be at version ${expected}; ${present}. Read it, and send the document again.`,
  );
}
