import type { Credential } from '../../auth/credential.ts';
import type { RateVerdict } from '../../http/rate-limit.ts';
import type { CommandDoor } from '../../ledger/command.ts';
import type { BoundedQueries } from '../../queries/bounded-queries.ts';

/** What every resolver is handed: who asks, and the two ways down. */
export interface RequestContext {
  requestId: string;
  credential: Credential;
  /** REST has validated its input, counted the request and checked its scope before it executes a document. */
  door: 'rest' | 'graphql';
  /** Takes one unit of the credential's rate limit: one for each top-level field. */
  takeRateUnit(): Promise<RateVerdict>;
  commands: CommandDoor;
  queries: BoundedQueries;
}
