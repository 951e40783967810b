import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { AnnouncedCache } from '../../auth/announced-cache.ts';
import { SecretBox } from '../../auth/secret-box.ts';
import { DatabaseClock } from '../../auth/widget/database-clock.ts';
import { WidgetDirectory } from '../../auth/widget/widget-directory.ts';
import type { WidgetSession } from '../../auth/widget/widget-session.ts';
import { WidgetSessions } from '../../auth/widget/widget-sessions.ts';
import type { Config } from '../../config.ts';
import type { Logger } from '../../http/logger.ts';
import { createRateLimiter, type RateLimiter } from '../../http/rate-limit.ts';
import type { BoundedQueries } from '../../queries/bounded-queries.ts';
import { isRefusal, type Refusal } from '../../refusal.ts';
import type { Surface } from '../../widget/surface.ts';
import type { WidgetDeployment } from '../../widget/widget-document.ts';

/** A surface as it is sent. */
export interface RenderedSurface {
  surface: Surface;
  /** Its JSON, in UTF-8. */
  body: Buffer;
  /** Strong. */
  etag: string;
}

/** How old what anonymous visitors see may be: which rewards are sold out, and which can be had at this time. */
export const ANONYMOUS_SECONDS = 5;
const MOST_SURFACES = 1_000;

/** What the requests of widgets need. */
export interface Widgets {
  directory: WidgetDirectory;
  surfaces: WidgetSurfaces;
  sessions: WidgetSessions;
  /** Counts the requests of each session. */
  sessionLimiter: RateLimiter;
  /** Counts what is read without a session, by deployment and address. */
  anonymousLimiter: RateLimiter;
  /** Counts the messages of agents without a session, by deployment and address: each has a body to parse. */
  agentLimiter: RateLimiter;
  close(): Promise<void>;
}

export function openWidgets(
  config: Config,
  pool: Pool,
  queries: Pick<BoundedQueries, 'surface'>,
  logger: Logger,
): Widgets {
  const limiter = (name: string, unitsPerWindow: number): RateLimiter =>
    createRateLimiter({
      ...{ name, unitsPerWindow },
      ...(config.redisUrl ? { redisUrl: config.redisUrl } : {}),
      warn: (error, message) => logger.warn({ err: error }, message),
    });
  const secrets = config.secretsKeys.length > 0 ? SecretBox.ofKeys(config.secretsKeys) : null;
  const clock = new DatabaseClock(pool);
  const sessionLimiter = limiter('widget-sessions', config.widgetSessionRateLimitPerMinute);
  const anonymousLimiter = limiter('widgets', config.widgetRateLimitPerMinute);
  const agentLimiter = limiter('widget-agents', config.widgetAgentRateLimitPerMinute);
  return {
    directory: new WidgetDirectory(pool),
    surfaces: new WidgetSurfaces(queries),
    sessions: new WidgetSessions(secrets, () => clock.time()),
    sessionLimiter,
    anonymousLimiter,
    agentLimiter,
    async close() {
      await Promise.all([sessionLimiter, anonymousLimiter, agentLimiter].map((each) => each.close()));
    },
  };
}

/** What widgets show, as it is sent. That of nobody in particular is kept for a few seconds. */
export class WidgetSurfaces {
  readonly #queries: Pick<BoundedQueries, 'surface'>;
  readonly #anonymous: AnnouncedCache<{ environmentId: string; rendered: RenderedSurface | Refusal }>;

  /** @param now a monotonic clock, in milliseconds: the same one that AdminNotices reads */
  constructor(queries: Pick<BoundedQueries, 'surface'>, now = () => performance.now()) {
    this.#queries = queries;
    this.#anonymous = new AnnouncedCache({ max: MOST_SURFACES, announcedMs: ANONYMOUS_SECONDS * 1_000, now });
  }

  /**
   * @param session null for nobody in particular
   * @returns refusals: `program_not_found`, `enrollment_required`, `overloaded`
   */
  async read(
    deployment: WidgetDeployment,
    session: WidgetSession | null,
  ): Promise<RenderedSurface | Refusal> {
    const { environmentId, deploymentId, version } = deployment;
    if (session) return render(await this.#queries.surface(environmentId, deployment, session.memberId));
    const key = `${deploymentId}:${version}`;
    const { rendered } = await this.#anonymous.get(key, async () => ({
      environmentId,
      rendered: render(await this.#queries.surface(environmentId, deployment, null)),
    }));
    if (isRefusal(rendered)) this.#anonymous.drop(key);
    return rendered;
  }

  /** Drops what is known of an environment, or of all, because something about them has changed. */
  forget(environmentId?: string): void {
    this.#anonymous.forget((kept) => environmentId === undefined || kept.environmentId === environmentId);
  }

  /** Every change before this moment of the clock has been announced (see AdminNotices). */
  onAnnouncement(at: number): void {
    this.#anonymous.onAnnouncement(at);
  }
}

function render(surface: Surface | Refusal): RenderedSurface | Refusal {
  if (isRefusal(surface)) return surface;
  const body = Buffer.from(JSON.stringify(surface));
  return { surface, body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}
