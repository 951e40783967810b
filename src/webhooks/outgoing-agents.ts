import type { Dispatcher } from 'undici';
import type { Config } from '../config.ts';
import { recentlyUsed } from '../recently-used.ts';

export interface OutgoingAgentsOptions extends Pick<Config, 'webhookAllowPrivate' | 'webhookProxy'> {
  /** Most connections to one origin. */
  connectionsPerOrigin: number;
  /** The most bytes of an answer, with all that HTTP puts around its body. Default: what attempts of webhooks have. */
  answerLimitBytes?: number;
}

/** Dispatchers that are kept: those of the environments that sent last. */
const MOST_AGENTS = 500;

/**
 * The dispatchers of what a serving process sends. Each environment has its own, so that it has its own connections to
 * a host which many send to, and its own look-ups of names. They are made when the first request is sent: until then
 * undici, which takes 4 MB, is not loaded.
 */
export class OutgoingAgents {
  readonly #options: OutgoingAgentsOptions;
  readonly #agents = recentlyUsed<Promise<Dispatcher>>(MOST_AGENTS, {
    // What is being sent goes on to its end.
    dispose: (agent) => void agent.then((made) => made.close()).catch(() => undefined),
  });

  constructor(options: OutgoingAgentsOptions) {
    this.#options = options;
  }

  /**
   * The dispatcher of an environment: for public addresses alone, but for a Sandbox that may send to private ones.
   * @param sandbox whether it is a Sandbox
   */
  of(environmentId: string, sandbox: boolean): Promise<Dispatcher> {
    const allowPrivate = sandbox && this.#options.webhookAllowPrivate;
    const key = `${environmentId} ${allowPrivate}`;
    const existing = this.#agents.get(key);
    if (existing) return existing;
    const agent = this.#make(allowPrivate);
    this.#agents.set(key, agent);
    return agent;
  }

  async #make(allowPrivate: boolean): Promise<Dispatcher> {
    const { webhookAllowPrivate: _allowed, webhookProxy: proxyUrl, ...limits } = this.#options;
    const { createAgent } = await import('./guarded-agent.ts');
    return createAgent({ ...limits, allowPrivate, proxyUrl });
  }

  /** Cuts off what is being sent. */
  async destroy(): Promise<void> {
    await Promise.all([...this.#agents.values()].map(async (agent) => (await agent).destroy()));
  }
}
