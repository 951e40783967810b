import type { Refusal } from '../refusal.ts';

/** A server key that proved itself for this request. */
export interface Credential {
  /** UUID of the key. */
  keyId: string;
  /** The person or system that holds the key. */
  principal: string;
  tenantId: string;
  environmentId: string;
  environmentKind: 'sandbox' | 'production';
  scopes: ReadonlySet<string>;
}

/**
 * Checks `Authorization: Bearer svc_…` against `X-Environment`.
 * @returns unauthorized otherwise: with what is absent or no Bearer scheme, which tells nothing of any key; and in one
 * message and the same time for a malformed, unknown, expired or revoked key, an unknown environment and a key of
 * another environment alike (decisions, "Environments and credentials").
 */
export type Authenticate = (
  authorization: string | undefined,
  environment: string | undefined,
) => Promise<Credential | Refusal>;
