import { fromTypeId } from '../../ids.ts';
import { recentlyUsed } from '../../recently-used.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { type CustomerToken, isInForce, isSignedBy, readToken } from './customer-token.ts';
import type { Issuer, IssuerDirectory } from './issuer-directory.ts';
import type { KeySets } from './key-sets.ts';
import { pickKey, type VerificationKey } from './verification-keys.ts';

/** The customer whom a request's token names. */
export interface Customer {
  /** UUID. */
  environmentId: string;
  externalCustomerId: string;
  /** UUID of the issuer of the token. */
  issuerId: string;
  /** The token's claim `authorization_reference`; null where it has none. */
  authorizationReference: string | null;
  /** The origins of the token's issuer. */
  origins: readonly string[];
}

/** A token whose signature was verified. */
interface Proven {
  token: CustomerToken;
  issuer: Issuer;
  key: VerificationKey;
}

/** Of the tokens of all proofs together. */
const MOST_CHARACTERS = 33_554_432;
/** What a short token counts as, so that there are at most 20,000 proofs. */
const LEAST_CHARACTERS = Math.ceil(MOST_CHARACTERS / 20_000);
const BEARER = /^bearer /i;
const BEARER_LENGTH = 'Bearer '.length;
// No environment has this id: an unknown one takes the same look-up.
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** One refusal for everything that is wrong, so that it does not reveal what is right. */
const wrong = refuse(
  'unauthorized',
  'The token is not valid for this environment: send a valid token of the customer as ' +
    'Authorization: Bearer <TOKEN>, and its environment as X-Environment.',
);

/**
 * Checks the tokens of customers. A signature is verified once for each token. Whether its issuer and its key are still
 * there, and whether it is in force by the database's clock, is checked for every request.
 */
export class CustomerAuthenticator {
  readonly #directory: IssuerDirectory;
  readonly #keySets: KeySets;
  readonly #proofs = recentlyUsed<Proven>(MOST_CHARACTERS, {
    sizeCalculation: ({ token }) => Math.max(token.text.length, LEAST_CHARACTERS),
  });

  constructor(directory: IssuerDirectory, keySets: KeySets) {
    this.#directory = directory;
    this.#keySets = keySets;
  }

  /**
   * Checks `Authorization: Bearer <JWT>` against the issuers of `X-Environment: env_…`.
   * @returns unauthorized, always the same, for anything but a valid token (decisions, "Customers and widgets")
   */
  async authenticate(
    authorization: string | undefined,
    environment: string | undefined,
  ): Promise<Customer | Refusal> {
    if (authorization === undefined || !BEARER.test(authorization)) return wrong;
    const environmentId = fromTypeId('env', environment ?? '') ?? NOBODY;
    const read = await this.#directory.of(environmentId);
    const name = `${environmentId} ${authorization.slice(BEARER_LENGTH)}`;
    const proven = this.#proofs.get(name);
    const nowMs = this.#directory.timeSince(read);
    if (proven && read.issuers.includes(proven.issuer) && isInForce(proven.token, nowMs)) {
      const key = await this.#findKey(proven.issuer, proven.token.kid);
      if (key === proven.key) return customerOf(environmentId, proven);
    }
    const token = readToken(authorization.slice(BEARER_LENGTH));
    if (!token || !isInForce(token, nowMs)) return wrong;
    const issuers = read.issuers.filter(
      ({ issuer, audience }) => issuer === token.issuer && token.audiences.includes(audience),
    );
    for (const issuer of issuers) {
      const key = await this.#findKey(issuer, token.kid);
      if (key && (await isSignedBy(token, issuer, key, nowMs))) {
        const proof = { token, issuer, key };
        this.#proofs.set(name, proof);
        return customerOf(environmentId, proof);
      }
    }
    return wrong;
  }

  async #findKey({ jwksUrl, keys, sandbox }: Issuer, kid: string | null): Promise<VerificationKey | null> {
    return jwksUrl === null ? pickKey(keys, kid) : this.#keySets.find(jwksUrl, sandbox, kid);
  }
}

function customerOf(environmentId: string, { token, issuer }: Proven): Customer {
  return {
    environmentId,
    externalCustomerId: token.subject,
    authorizationReference: token.authorizationReference,
    issuerId: issuer.id,
    origins: issuer.origins,
  };
}
