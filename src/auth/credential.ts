import type { Refusal } from '../refusal.ts';

/** Whose request it is: the server key, or the person's session, with which it was authenticated. */
export interface Credential {
  /** What its requests are counted under: the UUID of the key; of a person, the TypeID. */
  keyId: string;
  /** The person or system that the key belongs to; of a session, the person's TypeID. */
  principal: string;
  /** Whether it is a person's session. */
  isPerson?: true;
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
