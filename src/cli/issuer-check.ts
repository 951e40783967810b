import type { Command } from 'commander';
import type { FoundKey, TokenFinding } from '../auth/customer/explain-token.ts';
import type { Issuer } from '../auth/customer/issuer-directory.ts';
import type { Config } from '../config.ts';
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
      const token = (await readText(file)).trim().replace(/^bearer /i, '');
      const findings = await withSession({}, (session) => check(session, issuerId, token));
      const accepted = findings.every(({ ok }) => ok);
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
): Promise<TokenFinding[]> {
  const [{ IssuerDirectory }, { explainToken }, { SecretBox }, { secretsKeysOf }] = await Promise.all([
    import('../auth/customer/issuer-directory.ts'),
    import('../auth/customer/explain-token.ts'),
    import('../auth/secret-box.ts'),
    import('../auth/secrets-file.ts'),
  ]);
  const environmentId = await environmentOf(administrator, issuerId);
  const secrets = await secretsKeysOf(config);
  const problems: string[] = [];
  const directory = new IssuerDirectory(
    pool,
    secrets.length > 0 ? SecretBox.ofKeys(secrets) : null,
    (error, message) => problems.push(`${message}: ${error.message}`),
  );
  const read = await directory.of(environmentId);
  const issuer = read.issuers.find(({ id }) => id === issuerId);
  if (!issuer) throw new CliFailure(`${toTypeId('iss', issuerId)} was removed: none of its tokens is taken.`);
  return explainToken(token, issuer, directory.timeSince(read), (kid) =>
    findKey(issuer, kid, config, problems),
  );
}

async function environmentOf({ prisma }: Session['administrator'], issuerId: string): Promise<string> {
  const found = await prisma.tokenIssuer.findFirst({ where: { id: issuerId } });
  if (!found) throw new CliFailure(`There is no issuer ${toTypeId('iss', issuerId)}.`);
  return found.environmentId;
}

/** The key that a token names, read as the service reads it. */
async function findKey(
  issuer: Issuer,
  kid: string | null,
  config: Config,
  problems: readonly string[],
): Promise<FoundKey> {
  const { pickKey } = await import('../auth/customer/verification-keys.ts');
  const found =
    issuer.jwksUrl === null
      ? { keys: issuer.keys, problem: problems[0] ?? null }
      : await fetched(issuer.jwksUrl, issuer.sandbox, config);
  return {
    key: pickKey(found.keys, kid),
    kids: found.keys.map((key) => key.kid),
    problem: found.problem,
  };
}

async function fetched(url: string, sandbox: boolean, config: Config) {
  const [{ createKeySetFetcher }, { isKeySet, keysOfSet }] = await Promise.all([
    import('../server/service/key-set-fetcher.ts'),
    import('../auth/customer/verification-keys.ts'),
  ]);
  const fetcher = createKeySetFetcher(config);
  try {
    const set = await fetcher.fetch(url, sandbox);
    return isKeySet(set)
      ? { keys: keysOfSet(set), problem: null }
      : { keys: [], problem: `${url} answers with something else than a JSON Web Key Set` };
  } catch (error) {
    return { keys: [], problem: `${url} cannot be read: ${(error as Error).message}` };
  } finally {
    await fetcher.close();
  }
}
