import { randomBytes } from 'node:crypto';
import { newUuid } from '../../ids.ts';
import { recentlyUsed } from '../../recently-used.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import type { WidgetDeployment } from '../../widget/widget-document.ts';
import { type SecretBox, SecretNotOpened } from '../secret-box.ts';
import type { WidgetSession } from './widget-session.ts';

/** What a session is made for. */
export type SessionTerms = Pick<WidgetSession, 'memberId' | 'externalCustomerId' | 'origin'>;

/** The time of the database, in milliseconds since 1970. */
export type DatabaseTime = () => Promise<number>;

const LIFETIME_MS = 15 * 60 * 1000;
const PREFIX = 'wst_';
// The scheme is written in any case (RFC 9110); a token has one spelling.
const BEARER = /^bearer $/i;
const TOKEN = /^wst_([A-Za-z0-9_-]+)$/;
const SCHEME_LENGTH = 'Bearer '.length;
/** The longest `externalCustomerId` and origin, in JSON and base64url, are shorter. */
const LONGEST_TOKEN = 4_096;
const SALT_BYTES = 16;
/** How many sessions are sealed under one salt, so that no key of AES-GCM seals too many with random nonces. */
const SESSIONS_OF_SALT = 1_048_576;
const MOST_SALTS = 1_000;
const PURPOSE = 'rewards widget session';

/** One refusal for everything that is wrong, so that it does not reveal what is right. */
const wrong = refuse(
  'unauthorized',
  'The session is not valid for this widget, or has expired: get a new one for the page.',
);
const wrongOrigin = refuse(
  'origin_not_allowed',
  'The request does not come from a page of the origin that the session was made for.',
);
const noSecrets = refuse(
  'unavailable',
  'This server makes no sessions of widgets: its operator has to set SECRETS_KEY.',
);

/**
 * Makes and opens the sessions of widgets. A token holds its session encrypted: nothing is stored. Every process with
 * the same SECRETS_KEY opens it; the first key of the list encrypts.
 */
export class WidgetSessions {
  readonly #secrets: SecretBox | null;
  readonly #databaseTime: DatabaseTime;
  /** The boxes of salts, which take time to derive. */
  readonly #boxes = recentlyUsed<SecretBox>(MOST_SALTS);
  #salt = randomBytes(SALT_BYTES);
  #sealed = 0;

  /** @param secrets null where the server has no SECRETS_KEY: no session can be made or opened then */
  constructor(secrets: SecretBox | null, databaseTime: DatabaseTime) {
    this.#secrets = secrets;
    this.#databaseTime = databaseTime;
  }

  /**
   * Makes a session.
   * @returns refusals: `validation_failed` for an origin that the deployment does not list; `unavailable` without
   *   SECRETS_KEY
   */
  async mint(
    { environmentId, deploymentId, document }: WidgetDeployment,
    { memberId, externalCustomerId, origin }: SessionTerms,
  ): Promise<{ token: string; expiresAt: Date } | Refusal> {
    if (!this.#secrets) return noSecrets;
    if (!document.origins.includes(origin)) {
      const message = 'is none of the origins of the deployment';
      return refuse('validation_failed', `The request violates the contract: origin ${message}.`, [
        { path: 'origin', message },
      ]);
    }
    const expiresAt = new Date((await this.#databaseTime()) + LIFETIME_MS);
    const session: Sealed = [
      newUuid(),
      environmentId,
      memberId,
      externalCustomerId,
      origin,
      expiresAt.getTime(),
    ];
    const sealed = this.#boxOf(this.#secrets, this.#nextSalt()).seal(JSON.stringify(session), deploymentId);
    return { token: PREFIX + Buffer.concat([this.#salt, sealed]).toString('base64url'), expiresAt };
  }

  /**
   * Opens the session of a request.
   * @param authorization the header, `Bearer wst_…`
   * @param origin the header `Origin`
   * @returns refusals: `unauthorized`, always the same, for anything but a session of this deployment that has not
   *   expired; then `origin_not_allowed` for another origin than the session's, and for one that the deployment lists
   *   no more
   */
  async open(
    authorization: string | undefined,
    origin: string | undefined,
    { environmentId, deploymentId, document }: WidgetDeployment,
  ): Promise<WidgetSession | Refusal> {
    const opened = this.#openToken(authorization, deploymentId);
    if (!opened) return wrong;
    const [id, ofEnvironment, memberId, externalCustomerId, ofOrigin, expiresAtMs] = opened;
    if (ofEnvironment !== environmentId || expiresAtMs <= (await this.#databaseTime())) return wrong;
    if (origin !== ofOrigin || !document.origins.includes(ofOrigin)) return wrongOrigin;
    const expiresAt = new Date(expiresAtMs);
    return { id, environmentId, deploymentId, memberId, externalCustomerId, origin, expiresAt };
  }

  /** What a token holds; null where it is none of this deployment. */
  #openToken(authorization: string | undefined, deploymentId: string): Sealed | null {
    if (!this.#secrets || authorization === undefined || authorization.length > LONGEST_TOKEN) return null;
    if (!BEARER.test(authorization.slice(0, SCHEME_LENGTH))) return null;
    const [, text = ''] = TOKEN.exec(authorization.slice(SCHEME_LENGTH)) ?? [];
    const bytes = Buffer.from(text, 'base64url');
    // Only one spelling of a token is one.
    if (bytes.length <= SALT_BYTES || bytes.toString('base64url') !== text) return null;
    const box = this.#boxOf(this.#secrets, bytes.subarray(0, SALT_BYTES));
    try {
      return JSON.parse(box.open(bytes.subarray(SALT_BYTES), deploymentId)) as Sealed;
    } catch (error) {
      if (error instanceof SecretNotOpened) return null;
      throw error;
    }
  }

  #nextSalt(): Buffer {
    if (this.#sealed === SESSIONS_OF_SALT) {
      this.#salt = randomBytes(SALT_BYTES);
      this.#sealed = 0;
    }
    this.#sealed += 1;
    return this.#salt;
  }

  #boxOf(secrets: SecretBox, salt: Buffer): SecretBox {
    const name = salt.toString('base64url');
    const existing = this.#boxes.get(name);
    if (existing) return existing;
    const box = secrets.derive(PURPOSE, salt);
    this.#boxes.set(name, box);
    return box;
  }
}

/** A session in a token: id, environment, member, externalCustomerId, origin, expiry in milliseconds since 1970. */
type Sealed = [string, string, string, string, string, number];
