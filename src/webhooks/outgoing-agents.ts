import type { Dispatcher } from 'undici';
import type { Config } from '../config.ts';

export interface OutgoingAgentsOptions extends Pick<Config, 'webhookAllowPrivate' | 'webhookProxy'> {
  /** Most connections to one origin. */
  connectionsPerOrigin: number;
  /** The most bytes of an answer, with all that HTTP puts around its body. Default: what attempts of webhooks have. */
  answerLimitBytes?: number;
}

/**
 * The dispatchers of what a serving process sends: one for public addresses alone, and one for Sandbox where that may send to private
 * ones. They are made when the first request is sent: until then undici, which takes 4 MB, is not loaded.
 */
export class OutgoingAgents {
  readonly #options: OutgoingAgentsOptions;
  readonly #made = new Map<boolean, Promise<Dispatcher>>();

  constructor(options: OutgoingAgentsOptions) {
    this.#options = options;
  }

  /** The dispatcher for an environment. @param sandbox whether it is one */
  of(sandbox: boolean): Promise<Dispatcher> {
    const allowPrivate = sandbox && this.#options.webhookAllowPrivate;
    const made = this.#made.get(allowPrivate) ?? this.#make(allowPrivate);
    this.#made.set(allowPrivate, made);
    return made;
  }

  async #make(allowPrivate: boolean): Promise<Dispatcher> {
    const { webhookAllowPrivate: _allowed, webhookProxy: proxyUrl, ...limits } = this.#options;
    const { createAgent } = await import('./guarded-agent.ts');
    return createAgent({ ...limits, allowPrivate, proxyUrl });
  }

  /** Cuts off what is being sent. */
  async destroy(): Promise<void> {
    await Promise.all([...this.#made.values()].map(async (agent) => (await agent).destroy()));
  }
}
