import type { Pool } from 'pg';
import { PersonSessions } from '../../auth/person/person-sessions.ts';
import type { Config } from '../../config.ts';
import type { RateLimiter, RateLimiterOptions } from '../../http/rate-limit.ts';
import { SessionDoor } from './session-door.ts';

/** What lets people in. */
export interface People {
  sessions: PersonSessions;
  door: SessionDoor;
  /** Counts the sign-ins of each address that failed. */
  failures: RateLimiter;
  close(): Promise<void>;
}

const FAILURES_PER_MINUTE = 10;

/** @param openLimiter makes a limiter that counts apart from all others */
export function openPeople(
  config: Pick<Config, 'baseUrl' | 'host'>,
  pool: Pool,
  openLimiter: (window: RateLimiterOptions) => RateLimiter,
): People {
  const sessions = new PersonSessions(pool);
  const failures = openLimiter({ name: 'sign-in', unitsPerWindow: FAILURES_PER_MINUTE });
  return { sessions, failures, door: new SessionDoor(config, sessions), close: () => failures.close() };
}
