import type { Refusal } from '../refusal.ts';

/** The server key with which a request was authenticated. */
export interface Credential {
  /** UUID of the key. */
  keyId: string;
  /** The person or system that the key belongs to. */
  principal: string;
  tenantId: string;
  environmentId: string;
  environmentKind: 'sandbox' | 'production';
  scopes: ReadonlySet<string>;
}

/**
 * Checks `Authorization: Bearer svc_…` against `X-Environment`.
 * @returns unauthorized otherwise. An absent header, or one without the Bearer scheme, has a message of its own, which
 * reveals nothing about keys. A malformed, unknown, expired or revoked key, an unknown environment and a key of another
 * environment all get the same message in the same time (decisions, "Environments and credentials").
 */
export type Authenticate = (
  authorization: string | undefined,
  environment: string | undefined,
) => Promise<Credential | Refusal>;
