import { generateKeyPairSync } from 'node:crypto';
import { importJWK, SignJWT } from 'jose';
import { addIssuer } from '../src/admin/issuers/add-issuer.ts';
import type { Administrator } from '../src/admin/shared/admin-change.ts';
import { publishWidget } from '../src/admin/widgets/publish-widget.ts';
import { SecretBox } from '../src/auth/secret-box.ts';
import { WidgetSessions } from '../src/auth/widget/widget-sessions.ts';
import type { Pool } from '../src/db/pool.ts';
import { isRefusal, type Refusal, type RefusalCode } from '../src/refusal.ts';
import type { WidgetDeployment } from '../src/widget/widget-document.ts';
import { type HttpScenario, OK } from './http-scenario.ts';
import { customerOf } from './purchases.ts';
import type { CustomerAccess, Target } from './scenarios.ts';

const ISSUER = 'https://login.bench.example';
const AUDIENCE = 'loyalty';
const ORIGIN = 'https://shop.bench.example';
const KEY_ID = 'bench';
/** Longer than any run. */
const TOKEN_LIFETIME = '12h';
/** A session is good for fifteen minutes. */
const SESSIONS_LAST_MS = 600_000;
/** Requests that a customer sends in a row: the signature of its token is verified for the first of them. */
const REQUESTS_IN_A_ROW = 10;

/** Adds an issuer of customers' tokens and a widget with one component of each kind. @param environmentId UUID */
export async function makeCustomerAccess(
  administrator: Administrator,
  pool: Pool,
  environmentId: string,
  programId: string,
): Promise<CustomerAccess> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const content = Buffer.from(
    JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: KEY_ID }] }),
  );
  done(
    await addIssuer(
      administrator,
      { environmentId, issuer: ISSUER, audience: AUDIENCE, keys: { kind: 'keys', content }, origins: [] },
      { allowPrivate: false, secrets: null },
    ),
  );
  const document: WidgetDeployment['document'] = {
    ...{ id: 'bench', program: programId, origins: [ORIGIN] },
    components: [
      { id: 'balance', kind: 'svc.balance', label: 'Your points' },
      { id: 'tier', kind: 'svc.tier_progress', label: 'Your status' },
      { id: 'rewards', kind: 'svc.reward_catalog', label: 'Treat yourself' },
      { id: 'activity', kind: 'svc.activity', label: 'What happened' },
    ],
  };
  const { deploymentId, version } = done(await publishWidget(administrator, environmentId, document));
  const { rows } = await pool.query<{ id: string }>(
    `select id from members where environment_id = $1
     order by split_part(external_customer_id, '-', 2)::integer`,
    [environmentId],
  );
  return {
    issuerKey: privateKey.export({ format: 'jwk' }),
    deployment: { environmentId, deploymentId, version, programId, document },
    memberIds: rows.map(({ id }) => id),
  };
}

/** The credentials of customers, by the member's number. */
export class Credentials {
  readonly #target: Target;
  #tokens: readonly string[] | null = null;
  #sessions: { tokens: readonly string[]; until: number } | null = null;

  constructor(target: Target) {
    this.#target = target;
  }

  /** A token of each customer. */
  async tokens(): Promise<readonly string[]> {
    if (this.#tokens) return this.#tokens;
    const { customers, members } = this.#target;
    const key = await importJWK(customers.issuerKey, 'ES256');
    const signed: string[] = [];
    for (let number = 0; number < members; number++) {
      signed.push(
        await new SignJWT()
          .setProtectedHeader({ alg: 'ES256', kid: KEY_ID })
          .setIssuer(ISSUER)
          .setAudience(AUDIENCE)
          .setSubject(`customer-${number}`)
          .setIssuedAt()
          .setExpirationTime(TOKEN_LIFETIME)
          .sign(key),
      );
    }
    this.#tokens = signed;
    return signed;
  }

  /** A session of the widget for each member, good for some minutes at least. */
  async sessions(): Promise<readonly string[]> {
    if (this.#sessions && Date.now() < this.#sessions.until) return this.#sessions.tokens;
    const { customers, secretsKey } = this.#target;
    const minting = new WidgetSessions(SecretBox.ofKeys([secretsKey]), async () => Date.now());
    const tokens: string[] = [];
    for (const [number, memberId] of customers.memberIds.entries()) {
      const terms = { memberId, externalCustomerId: `customer-${number}`, origin: ORIGIN };
      tokens.push(done(await minting.mint(customers.deployment, terms)).token);
    }
    this.#sessions = { tokens, until: Date.now() + SESSIONS_LAST_MS };
    return tokens;
  }
}

/** Reads of the member that a customer's token names. */
export function customerReads(
  { serverPort: port, environmentId, members }: Target,
  tokens: readonly string[],
) {
  return reads(port, '"balances":', (number) => {
    const token = tokens[numberOf(customerOf(Math.floor(number / REQUESTS_IN_A_ROW), members))];
    return (
      'GET /loyalty/v1/member HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ' +
      `${token}\r\nX-Environment: ${environmentId}\r\n\r\n`
    );
  });
}

/** Reads of the widget's surface: of the members in pseudo-random order, or of nobody where there are no sessions. */
export function surfaceReads(
  { serverPort: port, members, customers: { deployment } }: Target,
  sessions: readonly string[] | null,
): HttpScenario {
  const head = `GET /api/v1/widgets/${deployment.deploymentId}/surface HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: ${ORIGIN}\r\n`;
  if (!sessions) return reads(port, '"personalized":false', () => `${head}\r\n`);
  return reads(port, '"personalized":true', (number) => {
    return `${head}Authorization: Bearer ${sessions[numberOf(customerOf(number, members))]}\r\n\r\n`;
  });
}

function reads(port: number, mark: string, request: (number: number) => string): HttpScenario {
  return { port, steps: [{ request, statusLine: OK, mark }], end: null, points: null };
}

function numberOf(externalCustomerId: string): number {
  return Number(externalCustomerId.slice('customer-'.length));
}

function done<T extends object>(outcome: T | Refusal<RefusalCode>): T {
  if (isRefusal(outcome)) throw new Error(outcome.message);
  return outcome;
}
