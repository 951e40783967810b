import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { IssuerKeys } from '../admin/issuers/add-issuer.ts';
import type { IssuerListing } from '../admin/issuers/list-issuers.ts';
import { toTypeId } from '../ids.ts';
import { addIssuerCheck } from './issuer-check.ts';
import { actorOption, jsonOption, parseId, requiredEnvironmentOption } from './shell/arguments.ts';
import { CliFailure, EXIT, orFail } from './shell/failure.ts';
import { instant, print, table } from './shell/output.ts';
import { withSession } from './shell/session.ts';

interface Common {
  actor?: string;
  json?: boolean;
}

interface AddOptions extends Common {
  environment: string;
  issuer: string;
  audience: string;
  jwks?: string;
  keys?: string;
  hs256?: string;
  origin: string[];
}

const parseIssuerId = parseId('iss', 'The issuers of an environment: rewards issuer list -e ENVIRONMENT');

/** Adds `rewards issuer …`. */
export function addIssuerCommands(cli: Command): void {
  const issuer = cli.command('issuer').description("issuers of customers' tokens, for /loyalty/v1");
  addAdd(issuer);
  addIssuerCheck(issuer);
  addList(issuer);
  addRemove(issuer);
}

function addAdd(issuer: Command): void {
  issuer
    .command('add')
    .description('let an environment take the tokens of an issuer')
    .addOption(requiredEnvironmentOption())
    .requiredOption('--issuer <iss>', 'the claim iss of its tokens')
    .requiredOption('--audience <aud>', 'what the claim aud of its tokens has to contain')
    .option('--jwks <url>', 'where its public keys are read')
    .option('--keys <file>', 'its public keys: a JWKS, or one key in PEM')
    .option('--hs256 <file>', 'the secret of its tokens, 32 bytes or more')
    .option(
      '--origin <origin>',
      'a site whose pages may read responses, such as https://shop.example; may be repeated',
      (origin: string, others: string[]) => [...others, origin],
      [],
    )
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
One of --jwks, --keys and --hs256 is needed. Keys are those of RS256, ES256 or EdDSA.

Examples:
  $ rewards issuer add -e env_01h455vb4pex5vsknk084sn02q --issuer https://login.shop.example --audience loyalty \\
      --jwks https://login.shop.example/.well-known/jwks.json --origin https://shop.example
  $ rewards issuer add -e env_01h455vb4pex5vsknk084sn02q --issuer shop-app --audience loyalty --hs256 secret.txt
`,
    )
    .action(async (options: AddOptions) => {
      const keys = await readKeys(options);
      const [{ addIssuer }, { SecretBox }, { secretsKeysOf }] = await Promise.all([
        import('../admin/issuers/add-issuer.ts'),
        import('../auth/secret-box.ts'),
        import('../auth/secrets-file.ts'),
      ]);
      const { issuerId } = await withSession(options, async ({ administrator, config }) => {
        const secrets = keys.kind === 'hs256' ? await secretsKeysOf(config) : [];
        const policy = {
          allowPrivate: config.webhookAllowPrivate,
          secrets: secrets.length > 0 ? SecretBox.ofKeys(secrets) : null,
        };
        const { environment: environmentId, issuer: iss, audience, origin: origins } = options;
        const added = { environmentId, issuer: iss, audience, keys, origins };
        return orFail(await addIssuer(administrator, added, policy));
      });
      const id = toTypeId('iss', issuerId);
      print(options.json, { issuerId: id }, () => id);
    });
}

async function readKeys({ jwks, keys, hs256 }: AddOptions): Promise<IssuerKeys> {
  const sources = [jwks, keys, hs256].filter((each) => each !== undefined);
  if (sources.length !== 1) throw new CliFailure('Give one of --jwks, --keys and --hs256.', EXIT.usage);
  if (jwks !== undefined) return { kind: 'jwks', url: jwks };
  const file = keys ?? hs256 ?? '';
  const content = await readFile(file).catch((error: Error) => {
    throw new CliFailure(`${file} cannot be read: ${error.message}`);
  });
  if (keys !== undefined) return { kind: 'keys', content };
  // One line break at the end of the file is not part of the secret.
  const length = content.length - (/\r?\n$/.exec(content.subarray(-2).toString('latin1'))?.[0].length ?? 0);
  return { kind: 'hs256', content: content.subarray(0, length) };
}

function addList(issuer: Command): void {
  issuer
    .command('list')
    .description('list the issuers of an environment, removed ones too, without keys and secrets')
    .addOption(requiredEnvironmentOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  $ rewards issuer list -e env_01h455vb4pex5vsknk084sn02q\n')
    .action(async (options: Common & { environment: string }) => {
      const { listIssuers } = await import('../admin/issuers/list-issuers.ts');
      const { issuers } = await withSession({}, async ({ administrator }) =>
        orFail(await listIssuers(administrator.prisma, options.environment)),
      );
      const shown = issuers.map((one) => ({ ...one, issuerId: toTypeId('iss', one.issuerId) }));
      print(options.json, { issuers: shown }, () =>
        shown.length === 0
          ? 'There are no issuers. Add one: rewards issuer add'
          : table(['id', 'issuer', 'audience', 'keys', 'origins', 'added', 'removed'], shown.map(rowOf)),
      );
    });
}

function rowOf(one: IssuerListing): string[] {
  return [
    one.issuerId,
    one.issuer,
    one.audience,
    one.jwksUrl ?? one.keys,
    one.origins.join(' '),
    instant(one.createdAt),
    instant(one.removedAt),
  ];
}

function addRemove(issuer: Command): void {
  issuer
    .command('remove')
    .description('refuse the tokens of an issuer for good, at once')
    .argument('<issuer>', 'issuer (iss_…)', parseIssuerId)
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  $ rewards issuer remove iss_01h455vb4pex5vsknk084sn02q\n')
    .action(async (issuerId: string, options: Common) => {
      const { removeIssuer } = await import('../admin/issuers/remove-issuer.ts');
      const outcome = await withSession(options, async ({ administrator }) =>
        orFail(await removeIssuer(administrator, issuerId)),
      );
      const id = toTypeId('iss', issuerId);
      print(options.json, { issuerId: id, ...outcome }, () =>
        outcome.changed
          ? `${id} is removed.`
          : `${id} was removed at ${instant(outcome.removedAt)} already; nothing changed.`,
      );
    });
}
