import { TABLE_LIST } from './all-tables.ts';
import type { Handling, Owner } from './handling.ts';
import { OTHER_TABLES } from './other-tables.ts';
import type { Table } from './table.ts';

/** A table of the database with what becomes of its rows outside of commands. */
export interface HandledTable {
  /** In the migrations. */
  name: string;
  /** In decisions; for a table that batches do not know, as in the migrations. */
  key: string;
  handling: Handling;
  /** Null for a table that batches do not know. */
  table: Table | null;
}

/** Every table, parents before their children where batches write them. */
export const EVERY_TABLE: readonly HandledTable[] = [
  ...TABLE_LIST.map(([key, table]) => ({ name: table.name, key, handling: table.handling, table })),
  ...Object.entries(OTHER_TABLES).map(([name, handling]) => ({ name, key: name, handling, table: null })),
];

const OWNERS: ReadonlyMap<string, Owner> = new Map(
  EVERY_TABLE.map(({ name, handling }) => [name, handling.owner]),
);

/** How the rows of a member are found in a table. */
interface WayToMember {
  /** SQL: the tables, the first one being that in which the member's id stands. */
  from: string;
  /** SQL: whether a row is the member's. */
  where: string;
}

/**
 * SQL that finds the rows of one member in a table, each table under its own name. `$1` is the environment, `$2` the
 * member's id.
 * @throws for a table whose rows are of no member
 */
export function wayToMember(name: string): WayToMember {
  const owner = OWNERS.get(name);
  if (typeof owner !== 'object') throw new Error(`rows of ${name} are of no member`);
  if ('members' in owner) {
    const [only] = owner.members;
    const is =
      owner.members.length === 1
        ? `${name}.${only} = $2::uuid`
        : `$2::uuid in (${owner.members.map((column) => `${name}.${column}`).join(', ')})`;
    return { from: name, where: `${name}.environment_id = $1::uuid and ${is}` };
  }
  const { from, where } = wayToMember(owner.through);
  return { from: `${from}\n      join ${name} on ${name}.environment_id = $1::uuid and ${owner.on}`, where };
}
