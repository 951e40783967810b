/** What a page gives as the token of its customer: null for nobody. */
export type CustomerToken = string | null;

/**
 * The session of the customer that the page names. A token is in memory alone, and only while it is in use.
 */
export class Session {
  #token: CustomerToken;
  readonly #getToken: (() => Promise<CustomerToken> | CustomerToken) | null;
  #asked: Promise<CustomerToken> | null = null;

  constructor(token: CustomerToken, getToken: (() => Promise<CustomerToken> | CustomerToken) | null) {
    this.#token = token;
    this.#getToken = getToken;
  }

  /** The token for the next request; null where nobody is signed in. @throws what the page's `getToken` throws */
  async token(): Promise<CustomerToken> {
    return this.#token ?? this.#ask();
  }

  /**
   * A token in place of one that was refused. The page is asked once for all requests that were refused with it.
   * @returns null where there is no other
   */
  async renewed(refused: string): Promise<CustomerToken> {
    if (this.#token === refused) this.#token = null;
    const token = await this.token().catch(() => null);
    if (token !== refused) return token;
    this.#token = null;
    return null;
  }

  async #ask(): Promise<CustomerToken> {
    this.#asked ??= Promise.resolve(this.#getToken?.() ?? null)
      .then((token) => {
        this.#token = token;
        return token;
      })
      .finally(() => {
        this.#asked = null;
      });
    return this.#asked;
  }
}
