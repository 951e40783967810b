import type { PrismaClient } from '../../generated/prisma/client.ts';

const PAGE = 5_000;

/** The externalCustomerIds of the members on a list, ascending, in pages: a list may contain every member. */
export async function* membersOnList(
  prisma: PrismaClient,
  environmentId: string,
  list: string,
): AsyncGenerator<string[], void, void> {
  for (let after = ''; ; ) {
    const rows = await prisma.$queryRaw<{ external_customer_id: string }[]>`
      select external_customer_id from members
      where environment_id = ${environmentId}::uuid and lists @> array[${list}]::text[]
        and external_customer_id > ${after}
      order by external_customer_id
      limit ${PAGE}::integer`;
    const page = rows.map((row) => row.external_customer_id);
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    after = page.at(-1) ?? after;
  }
}
