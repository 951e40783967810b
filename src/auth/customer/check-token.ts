import type { SecretBox } from '../secret-box.ts';
import { explainToken, type TokenFinding, type TokenKey } from './explain-token.ts';
import { type Issuer, type IssuerRow, issuerOf } from './issuer-directory.ts';
import type { FetchKeySet } from './key-sets.ts';
import { isKeySet, keysOfSet, pickKey } from './verification-keys.ts';

/** What the keys of issuers are read with. */
export interface IssuerAccess {
  /** Opens the secrets of HS256; null where there is no key for that. */
  secrets: SecretBox | null;
  fetchKeySet: FetchKeySet;
}

/** Whether a token is taken, and what each part of it is. */
export interface CheckedToken {
  /** True where every finding is ok. */
  accepted: boolean;
  findings: TokenFinding[];
}

/**
 * Says which parts of a token the service takes for an issuer, and why not the others. Its key set is read anew.
 * @param text the token, also with `Bearer` before it
 * @param row the issuer as it is stored, read just now
 */
export async function checkToken(
  text: string,
  row: IssuerRow,
  { secrets, fetchKeySet }: IssuerAccess,
): Promise<CheckedToken> {
  const problems: string[] = [];
  const issuer = issuerOf(row, secrets, (error, message) => problems.push(`${message}: ${error.message}`));
  if (row.sealed_secret && !secrets) problems.push('its secret cannot be opened without SECRETS_KEY');
  const token = text.trim().replace(/^bearer /i, '');
  const findings = await explainToken(token, issuer, row.now.getTime(), (kid) =>
    findKey(issuer, kid, fetchKeySet, problems[0] ?? null),
  );
  return { accepted: findings.every(({ ok }) => ok), findings };
}

/** The key that a token names, read as the service reads it. */
async function findKey(
  issuer: Issuer,
  kid: string | null,
  fetchKeySet: FetchKeySet,
  problem: string | null,
): Promise<TokenKey> {
  const found =
    issuer.jwksUrl === null
      ? { keys: issuer.keys, problem }
      : await fetched(issuer.jwksUrl, issuer.sandbox, fetchKeySet);
  return {
    key: pickKey(found.keys, kid),
    kids: found.keys.map((key) => key.kid),
    problem: found.problem,
  };
}

async function fetched(url: string, sandbox: boolean, fetchKeySet: FetchKeySet) {
  try {
    const set = await fetchKeySet(url, sandbox);
    if (isKeySet(set)) return { keys: keysOfSet(set), problem: null };
  } catch (error) {
    // The text of such an error has a piece of the answer.
    if (!(error instanceof SyntaxError)) {
      return { keys: [], problem: `${url} cannot be read: ${(error as Error).message}` };
    }
  }
  return { keys: [], problem: `${url} answers with something else than a JSON Web Key Set` };
}
