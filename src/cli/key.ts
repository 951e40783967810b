import { type Command, Option } from 'commander';
import { issueApiKey } from '../admin/keys/issue-api-key.ts';
import { type ApiKeyListing, listApiKeys } from '../admin/keys/list-api-keys.ts';
import { revokeApiKey } from '../admin/keys/revoke-api-key.ts';
import { rotateApiKey } from '../admin/keys/rotate-api-key.ts';
import { SCOPES, type Scope } from '../auth/scopes.ts';
import { toTypeId } from '../ids.ts';
import {
  actorOption,
  jsonOption,
  parseDurationSeconds,
  parseInstant,
  parseKeyId,
  parseName,
  parseScopes,
  requiredEnvironmentOption,
} from './shell/arguments.ts';
import { orFail } from './shell/failure.ts';
import { hint, instant, print, table } from './shell/output.ts';
import { withSession } from './shell/session.ts';

interface Common {
  actor?: string;
  json?: boolean;
}

const SHOWN_ONCE = 'This is the only time that the key is shown. Keep it in a secret manager.';

/** Adds `rewards key …`. */
export function addKeyCommands(cli: Command): void {
  const key = cli.command('key').description('server keys: each for one environment, with scopes');
  addIssue(key);
  addList(key);
  addRotate(key);
  addRevoke(key);
}

function addIssue(key: Command): void {
  key
    .command('issue')
    .description('issue a key and print it, once')
    .addOption(requiredEnvironmentOption())
    .requiredOption('--principal <name>', 'the person or system that will hold it', parseName)
    .requiredOption('-s, --scopes <list>', 'scopes, separated by commas; or all; or reading', parseScopes)
    .option('--expires <instant>', 'when it stops to work (default: never)', parseInstant)
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Scopes: ${SCOPES.join(', ')}

Examples:
  $ rewards key issue -e env_01h455vb4pex5vsknk084sn02q --principal web-shop -s events:write,members:read,members:write
  $ rewards key issue -e env_01h455vb4pex5vsknk084sn02q --principal auditor -s reading --expires 2027-01-01

Two keys of one principal count as one person: they cannot approve each other's adjustments.
`,
    )
    .action(
      async (
        options: Common & { environment: string; principal: string; scopes: Scope[]; expires?: Date },
      ) => {
        const { environment: environmentId, principal, scopes } = options;
        const issued = await withSession(options, async ({ administrator }) =>
          orFail(
            await issueApiKey(administrator, {
              environmentId,
              principal,
              scopes,
              expiresAt: options.expires ?? null,
            }),
          ),
        );
        hint(SHOWN_ONCE);
        print(
          options.json,
          { ...issued, keyId: toTypeId('key', issued.keyId), principal, scopes },
          () => issued.key,
        );
      },
    );
}

function addList(key: Command): void {
  key
    .command('list')
    .description('list the keys of an environment, revoked ones too, without their secrets')
    .addOption(requiredEnvironmentOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  $ rewards key list --environment env_01h455vb4pex5vsknk084sn02q\n')
    .action(async (options: Common & { environment: string }) => {
      const { keys } = await withSession({}, async ({ administrator }) =>
        orFail(await listApiKeys(administrator.prisma, options.environment)),
      );
      const shown = keys.map((one) => ({ ...one, keyId: toTypeId('key', one.keyId) }));
      print(options.json, { keys: shown }, () =>
        shown.length === 0
          ? 'There are no keys. Issue one: rewards key issue'
          : table(
              ['key', 'principal', 'status', 'expires', 'last used', 'created', 'scopes'],
              shown.map(rowOf),
            ),
      );
    });
}

function rowOf(key: ApiKeyListing): string[] {
  return [
    key.keyId,
    key.principal,
    key.previousValidUntil
      ? `${key.status}, old secret until ${instant(key.previousValidUntil)}`
      : key.status,
    instant(key.expiresAt),
    instant(key.lastUsedAt),
    instant(key.createdAt),
    key.scopes.length === SCOPES.length ? 'all' : key.scopes.join(' '),
  ];
}

function addRotate(key: Command): void {
  key
    .command('rotate')
    .description('give a key a new secret and print it, once; the old one works on for a while')
    .argument('<key>', 'key (key_…)', parseKeyId)
    .addOption(
      new Option(
        '--overlap <span>',
        'how long the old secret works on, such as 90m, 24h, 7d; 0 for not at all',
      )
        .argParser(parseDurationSeconds)
        .default(86_400, '24h'),
    )
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
A secret from before an earlier rotation stops at once.

Examples:
  $ rewards key rotate key_01h455vb4pex5vsknk084sn02q --overlap 7d
  $ rewards key rotate key_01h455vb4pex5vsknk084sn02q --overlap 0    # the secret has leaked
`,
    )
    .action(async (keyId: string, options: Common & { overlap: number }) => {
      const rotated = await withSession(options, async ({ administrator }) =>
        orFail(await rotateApiKey(administrator, keyId, options.overlap)),
      );
      const until = rotated.previousValidUntil;
      hint(
        `${SHOWN_ONCE} The old secret ${until ? `works until ${instant(until)}` : 'has stopped to work'}.`,
      );
      print(options.json, { ...rotated, keyId: toTypeId('key', keyId) }, () => rotated.key);
    });
}

function addRevoke(key: Command): void {
  key
    .command('revoke')
    .description('make a key stop to work for good, at once')
    .argument('<key>', 'key (key_…)', parseKeyId)
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  $ rewards key revoke key_01h455vb4pex5vsknk084sn02q\n')
    .action(async (keyId: string, options: Common) => {
      const outcome = await withSession(options, async ({ administrator }) =>
        orFail(await revokeApiKey(administrator, keyId)),
      );
      const id = toTypeId('key', keyId);
      print(options.json, { keyId: id, ...outcome }, () =>
        outcome.changed
          ? `${id} is revoked.`
          : `${id} was revoked at ${instant(outcome.revokedAt)} already; nothing changed.`,
      );
    });
}
