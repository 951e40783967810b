import type { Command } from 'commander';
import type { CheckedToken } from '../auth/customer/check-token.ts';
import { toTypeId } from '../ids.ts';
import { jsonOption, parseId } from './shell/arguments.ts';
import { CliFailure } from './shell/failure.ts';
import { print, table } from './shell/output.ts';
import { readText } from './shell/read-document.ts';
import { type Session, withSession } from './shell/session.ts';

const parseIssuerId = parseId('iss', 'The issuers of an environment: rewards issuer list -e ENVIRONMENT');

/** Adds `rewards issuer check`. */
export function addIssuerCheck(issuer: Command): void {
  issuer
    .command('check')
    .description('say which parts of a token the service takes for an issuer, and why not the others')
    .argument('<issuer>', 'issuer (iss_…)', parseIssuerId)
    .argument('<file>', 'file with the token; - for standard input')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
To whoever sends a token, the service answers every fault alike. This command looks at each claim, by the clock of the
database, reads the keys of the issuer as the service does, and ends with 1 where the token is not taken. The token is
read from a file, because what stands on a command line can be seen by others on the machine.

Example:
  $ pbpaste | rewards issuer check iss_01h455vb4pex5vsknk084sn02q -
`,
    )
    .action(async (issuerId: string, file: string, options: { json?: boolean }) => {
      const token = await readText(file);
      const { accepted, findings } = await withSession({}, (session) => check(session, issuerId, token));
      const id = toTypeId('iss', issuerId);
      print(options.json, { issuerId: id, accepted, findings }, () =>
        table(
          ['part', '', 'of the token'],
          findings.map(({ part, ok, message }) => [part, ok ? 'ok' : 'wrong', message]),
        ),
      );
      if (!accepted) throw new CliFailure('The service does not take this token.');
    });
}

async function check(
  { administrator, pool, config }: Session,
  issuerId: string,
  token: string,
): Promise<CheckedToken> {
  const [{ checkToken }, { readTokenIssuer }, { SecretBox }, { secretsKeysOf }, { createKeySetFetcher }] =
    await Promise.all([
      import('../auth/customer/check-token.ts'),
      import('../queries/token-issuers.ts'),
      import('../auth/secret-box.ts'),
      import('../auth/secrets-file.ts'),
      import('../server/service/key-set-fetcher.ts'),
    ]);
  const id = toTypeId('iss', issuerId);
  const issuer = await administrator.prisma.tokenIssuer.findFirst({ where: { id: issuerId } });
  const row = issuer && (await readTokenIssuer(pool, issuer.environmentId, id));
  if (!row) throw new CliFailure(`There is no issuer ${id}.`);
  if (row.removed_at) throw new CliFailure(`${id} was removed: none of its tokens is taken.`);
  const keys = await secretsKeysOf(config);
  const fetcher = createKeySetFetcher(config);
  const secrets = keys.length > 0 ? SecretBox.ofKeys(keys) : null;
  try {
    return await checkToken(token, row, { secrets, fetchKeySet: fetcher.fetch });
  } finally {
    await fetcher.close();
  }
}
