import type { Prisma } from '../db/generated/client.ts';

/** Now, by the database's clock, which is the same for all processes. */
export async function databaseTime(prisma: Prisma.TransactionClient): Promise<Date> {
  const rows = await prisma.$queryRaw<[{ now: Date }]>`select clock_timestamp() as now`;
  return rows[0].now;
}
