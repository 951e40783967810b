import type { IdPrefix } from '../../ids.ts';
import { EVERY_TABLE, type HandledTable, wayToMember } from '../../ledger/tables/every-handling.ts';
import type { Exported } from '../../ledger/tables/handling.ts';

/** A table with rows about one member, and how they are found. */
export interface Section extends Pick<Exported, 'ids' | 'audited'> {
  /** The property of the export. */
  name: string;
  table: string;
  /**
   * Selects the rows, oldest first where they have a time. `$1` is the environment, `$2` the id of the member. A row
   * with `of_another_order` is about the order of another member: it is shown without the references of that order.
   */
  query: string;
}

/** Every table that holds something about a member, but for those whose rows are found by the ids that they name. */
export const SECTIONS: readonly Section[] = EVERY_TABLE.flatMap(sectionsOf);

/**
 * Where audit events about a member have their targets, besides the member itself and its transactions: queries of ids.
 */
export const AUDITED: readonly (readonly [IdPrefix, string])[] = SECTIONS.flatMap(
  ({ table, ids, audited }) => {
    const { from, where } = wayToMember(table);
    return audited && ids.id ? [[ids.id, `select ${table}.id from ${from} where ${where}`]] : [];
  },
);

function sectionsOf({ name, key, handling: { exported } }: HandledTable): Section[] {
  if (typeof exported === 'string' || 'none' in exported) return [];
  const { as = key, ids, order, more, only, audited } = exported;
  const { from, where } = wayToMember(name);
  const columns = [`${name}.*`, ...(more ? [more.columns] : [])];
  const by = order.map((column) => (column.includes('.') ? column : `${name}.${column}`));
  const query = `select ${columns.join(', ')}
      from ${from}
      ${more?.join ?? ''}
      where ${where}${only ? ` and (${only})` : ''}
      order by ${by.join(', ')}`;
  return [{ name: as, table: name, ids, ...(audited && { audited }), query }];
}
