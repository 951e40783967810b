import { randomBytes } from 'node:crypto';
import type { SecretBox } from './secret-box.ts';

/** What requests about endpoints need of the server's settings. */
export interface WebhookSettings {
  /** Whether endpoints of Sandbox may have http and private addresses. */
  allowPrivate: boolean;
  /**
   * A new signing secret (`whsec_…`), and the same encrypted for its endpoint. Null where the server has no
   * SECRETS_KEY.
   * @param endpointId UUID
   */
  newSecret(endpointId: string): { secret: string; sealed: Buffer } | null;
}

/** Standard Webhooks recommends 24 to 64 bytes. */
const SECRET_BYTES = 32;

export function webhookSettings(secrets: SecretBox | null, allowPrivate: boolean): WebhookSettings {
  return {
    allowPrivate,
    newSecret(endpointId) {
      if (!secrets) return null;
      const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
      return { secret, sealed: secrets.seal(secret, endpointId) };
    },
  };
}
