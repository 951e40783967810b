import type { TokenIssuer } from '../../../generated/prisma/client.ts';
import type {
  AddTokenIssuerInput,
  RemoveTokenIssuerInput,
  TokenIssuer as TokenIssuerView,
} from '../../contract/generated/types.ts';
import { fromTypeId } from '../../ids.ts';
import { tokenIssuerView } from '../../queries/token-issuers.ts';
import { type AdministrationCode, isRefusal, issuerNotFound, type Refusal, refuse } from '../../refusal.ts';
import type { Administrator } from '../shared/admin-change.ts';
import { changeOnce, type KeyedReceipt } from '../shared/keyed-change.ts';
import { addingIssuer, type IssuerKeys, type IssuerPolicy } from './add-issuer.ts';
import { API_NAMES } from './issuer-names.ts';
import { removingIssuer } from './remove-issuer.ts';

/** What is answered about an issuer, apart from what says which request it was. Neither keys nor secrets are in it. */
export interface IssuerReceipt {
  issuer: TokenIssuerView;
}

/**
 * Adds an issuer, once for each idempotency key. In the fingerprint of the input a code of the secret stands for it.
 * @param environmentId UUID
 * @param input validated
 * @returns refusals: `validation_failed`, `url_not_public`, `issuer_exists`, and those of `changeOnce`
 */
export async function addIssuerOnce(
  administrator: Administrator,
  environmentId: string,
  input: AddTokenIssuerInput,
  policy: Omit<IssuerPolicy, 'names'>,
): Promise<KeyedReceipt<IssuerReceipt> | Refusal<AdministrationCode>> {
  const keys = keysOf(input);
  if (isRefusal(keys)) return keys;
  const { issuer, audience, origins, secret = null } = input;
  const change = addingIssuer(
    { environmentId, issuer, audience, keys, origins: origins ?? [] },
    { ...policy, names: API_NAMES },
  );
  const kept =
    secret === null ? input : { ...input, secret: policy.secrets?.codeOf(secret, environmentId) ?? '' };
  return changeOnce(
    administrator,
    { environmentId, operation: 'addTokenIssuer', input: kept },
    async (transaction) => {
      const outcome = await change(transaction);
      return isRefusal(outcome) ? outcome : { ...outcome, result: receiptOf(outcome.result) };
    },
  );
}

/**
 * Removes an issuer, once for each idempotency key. One that was removed before stays as it is.
 * @param environmentId UUID
 * @returns refusals: `issuer_not_found`, and those of `changeOnce`
 */
export async function removeIssuerOnce(
  administrator: Administrator,
  environmentId: string,
  input: RemoveTokenIssuerInput,
): Promise<KeyedReceipt<IssuerReceipt> | Refusal<AdministrationCode>> {
  const issuerId = fromTypeId('iss', input.issuerId);
  const change = issuerId === null ? null : removingIssuer(environmentId, issuerId);
  return changeOnce(
    administrator,
    { environmentId, operation: 'removeTokenIssuer', input },
    async (transaction) => {
      if (!change) return issuerNotFound;
      const outcome = await change(transaction);
      if (isRefusal(outcome)) return outcome;
      const { row, removedAt } = outcome.result;
      return { ...outcome, result: receiptOf({ ...row, removedAt }) };
    },
  );
}

/** Exactly one of the properties says where the keys come from. */
function keysOf(input: AddTokenIssuerInput): IssuerKeys | Refusal<'validation_failed'> {
  const { jwksUrl = null, jwks = null, publicKey = null, secret = null } = input;
  const given: IssuerKeys[] = [
    ...(jwksUrl === null ? [] : [{ kind: 'jwks' as const, url: jwksUrl }]),
    ...(jwks === null ? [] : [{ kind: 'keys' as const, content: Buffer.from(JSON.stringify(jwks)) }]),
    ...(publicKey === null ? [] : [{ kind: 'keys' as const, content: Buffer.from(publicKey) }]),
    ...(secret === null ? [] : [{ kind: 'hs256' as const, content: Buffer.from(secret) }]),
  ];
  const [keys] = given;
  if (keys && given.length === 1) return keys;
  const message = 'has to have exactly one of jwksUrl, jwks, publicKey and secret';
  return refuse('validation_failed', `The body ${message}.`, [{ path: '', message }]);
}

function receiptOf(row: TokenIssuer): IssuerReceipt {
  const { id, issuer, audience, jwksUrl, keys, sealedSecret, origins, createdAt, removedAt } = row;
  return {
    issuer: tokenIssuerView({
      ...{ id, issuer, audience, origins },
      ...{ jwks_url: jwksUrl, keys: keys as null, sealed_secret: sealedSecret as Buffer | null },
      ...{ created_at: createdAt, removed_at: removedAt },
    }),
  };
}
