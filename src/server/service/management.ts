import type { Pool } from 'pg';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/open-database.ts';
import { createPool } from '../../db/pool.ts';
import { Turns } from '../../db/turns.ts';
import type { Logger } from '../../http/logger.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import type { Customers } from './customers.ts';

/** Management never takes the connections of earning: it has these for itself. */
const CONNECTIONS = 2;

/** The most changes of one environment that wait for their turn. */
const MOST_WAITING = 50;

const overloaded = refuse(
  'overloaded',
  'Too many changes of this environment are waiting. Nothing was done: send it again after Retry-After.',
);

const managementUnavailable = refuse(
  'management_unavailable',
  'This service has no database login for management: set OPERATOR_DATABASE_URL beside ' +
    'SERVER_DATABASE_URL (docs/operate/running.md, "Roles and privileges").',
);

/** What changes how environments are set up, with the privileges of `rewards_operator`. */
export interface Management {
  /**
   * Does work of an environment with a connection: one at a time, the environments by turns. Prisma is loaded and the
   * pool is opened with the first call: a serving process is 30 MB smaller without it.
   * @param environmentId UUID
   * @returns what the work returns; `management_unavailable` where the settings have no login for it; `overloaded`
   *   where too much of the environment waits already
   */
  run<Result>(
    environmentId: string,
    work: (prisma: PrismaClient) => Promise<Result>,
  ): Promise<Result | Refusal<'management_unavailable' | 'overloaded'>>;
  issuers: Customers['issuers'];
  close(): Promise<void>;
}

/** Makes the management of a serving process. Nothing is opened yet. */
export function createManagement(
  { statementTimeoutMs }: Pick<Config, 'statementTimeoutMs'>,
  { operatorUrl, operatorRole }: Pick<Database, 'operatorUrl' | 'operatorRole'>,
  logger: Logger,
  { issuers }: Pick<Customers, 'issuers'>,
): Management {
  const turns = new Turns({ most: CONNECTIONS, mostOfOne: 1 });
  let opened: Promise<{ pool: Pool; prisma: PrismaClient }> | null = null;
  const open = async (url: string): Promise<{ pool: Pool; prisma: PrismaClient }> => {
    const { createPrisma } = await import('../../db/prisma.ts');
    const pool = createPool({
      url,
      size: CONNECTIONS,
      applicationName: 'rewards management',
      statementTimeoutMs,
      ...(operatorRole ? { role: operatorRole } : {}),
      onError: (error) => logger.warn({ err: error }, 'A database connection of management broke while idle'),
    });
    return { pool, prisma: createPrisma(pool) };
  };
  return {
    issuers,
    async run(environmentId, work) {
      if (operatorUrl === null) return managementUnavailable;
      if (turns.waitingOf(environmentId) >= MOST_WAITING) return overloaded;
      opened ??= open(operatorUrl);
      const { prisma } = await opened;
      const turn = turns.take(environmentId);
      if (turn) await turn;
      try {
        return await work(prisma);
      } finally {
        turns.giveBack(environmentId);
      }
    },
    async close() {
      if (!opened) return;
      const { pool, prisma } = await opened;
      await prisma.$disconnect();
      await pool.end();
    },
  };
}
