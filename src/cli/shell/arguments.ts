import { InvalidArgumentError, Option } from 'commander';
import { NAME_RULE, normalizeName } from '../../admin/shared/name.ts';
import { isScope, READING_SCOPES, SCOPES, type Scope } from '../../auth/scopes.ts';
import { LABEL_RULE, normalizeLabel } from '../../commands/shared/label.ts';
import { normalizeDateTime } from '../../contract/date-time.ts';
import { fromTypeId, type IdPrefix } from '../../ids.ts';

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 } as const;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Reads an id such as `env_01h…` as its UUID. @throws InvalidArgumentError, which ends with a usage error */
export function parseId(prefix: IdPrefix, whereToFind: string): (text: string) => string {
  return (text) => {
    const uuid = fromTypeId(prefix, text);
    if (uuid === null)
      throw new InvalidArgumentError(`It must be a whole id: ${prefix}_ and 26 characters. ${whereToFind}`);
    return uuid;
  };
}

export const parseEnvironmentId = parseId('env', 'The environments there are: rewards env list');
export const parseOperationId = parseId(
  'op',
  'The operations there are: rewards operation list -e ENVIRONMENT',
);
export const parseKeyId = parseId('key', 'The keys of an environment: rewards key list -e ENVIRONMENT');

/** Reads the name of a tenant, an environment, a principal or an operator. */
export function parseName(text: string): string {
  const name = normalizeName(text);
  if (name === null) throw new InvalidArgumentError(`It must be ${NAME_RULE}.`);
  return name;
}

/** Reads a tag or the name of a list. */
export function parseLabel(text: string): string {
  const label = normalizeLabel(text);
  if (label === null) throw new InvalidArgumentError(`It must be ${LABEL_RULE}.`);
  return label;
}

/** Reads an instant in RFC 3339, or a date, which means its midnight in UTC. */
export function parseInstant(text: string): Date {
  const normal = normalizeDateTime(DATE.test(text) ? `${text}T00:00:00Z` : text);
  if (normal === null) {
    throw new InvalidArgumentError(
      'It must be a date such as 2027-01-31, or an instant such as 2027-01-31T12:00:00Z.',
    );
  }
  return new Date(normal);
}

/** Reads a day such as 2027-01-31. */
export function parseDay(text: string): string {
  if (!DATE.test(text) || normalizeDateTime(`${text}T00:00:00Z`) === null)
    throw new InvalidArgumentError('It must be a day such as 2027-01-31.');
  return text;
}

/** Reads a time span such as `90m`, `24h`, `7d` or `0`. @returns seconds */
export function parseDurationSeconds(text: string): number {
  if (text === '0') return 0;
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (amount === undefined)
    throw new InvalidArgumentError('It must be a time span such as 90m, 24h or 7d, or 0.');
  return Number(amount) * SECONDS[unit as keyof typeof SECONDS];
}

/** Reads a positive integer of at most nine digits. */
export function parsePositiveInteger(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a positive integer.');
  return Number(text);
}

/** Reads a TCP port; 0 means any free port. */
export function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('It must be 0 to 65535.');
  return Number(text);
}

/** Reads scopes separated by commas; `all` and `reading` each mean several scopes. */
export function parseScopes(text: string): Scope[] {
  const named = text.split(',').map((part) => part.trim());
  return named.flatMap((name): readonly Scope[] => {
    if (name === 'all') return SCOPES;
    if (name === 'reading') return READING_SCOPES;
    if (!isScope(name)) {
      throw new InvalidArgumentError(
        `"${name}" is no scope. The scopes: ${SCOPES.join(', ')}; or all, or reading.`,
      );
    }
    return [name];
  });
}

/**
 * `--environment` of a command that works on all environments where the option is absent. Such a command ignores
 * REWARDS_ENVIRONMENT: `verify ledger` must not leave environments out because of a variable that was set once.
 */
export function environmentOption(): Option {
  return new Option('-e, --environment <id>', 'environment (env_…)').argParser(parseEnvironmentId);
}

/** Name of the environment variable that is used where `--environment` is absent. */
export const ENVIRONMENT_VARIABLE = 'REWARDS_ENVIRONMENT';

/**
 * `--environment` of a command that works on one environment; REWARDS_ENVIRONMENT is used where the option is absent.
 */
export function requiredEnvironmentOption(): Option {
  return environmentOption().env(ENVIRONMENT_VARIABLE).makeOptionMandatory();
}

/** `--program` of every command that has it. @param description in place of the usual one */
export function programOption(description = 'id of the program, such as coffee-club'): Option {
  return new Option('-p, --program <id>', description);
}

/** `--actor` of every command that changes something. */
export function actorOption(): Option {
  return new Option(
    '--actor <name>',
    'who does this, for the audit trail (default: your user name)',
  ).argParser(parseName);
}

/** `--json` of every command that prints data. */
export function jsonOption(): Option {
  return new Option('--json', 'print JSON, for programs');
}
