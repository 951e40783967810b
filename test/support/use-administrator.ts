import { type Administrator, operator } from '../../src/admin/shared/admin-change.ts';
import { createPrisma } from '../../src/db/prisma.ts';
import type { TestDatabase } from './database.ts';
import { fixture } from './fixture.ts';

/** An operator who administers a database. */
export function useAdministrator(
  database: Pick<TestDatabase, 'adminPool'>,
  operatorId = 'ada',
): Administrator {
  return fixture(
    'the administrator',
    () => ({ prisma: createPrisma(database.adminPool), actor: operator(operatorId) }),
    ({ prisma }) => prisma.$disconnect(),
  );
}
