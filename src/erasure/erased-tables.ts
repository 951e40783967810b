import type { ReferenceKind } from '../ledger/tables/erased-references.ts';
import { storedData, wholeData } from '../ledger/tables/event-data.ts';
import type { EventRecord } from '../ledger/tables/events.ts';
import { EVERY_TABLE, type HandledTable } from '../ledger/tables/every-handling.ts';
import type { ErasedColumn, Owner } from '../ledger/tables/handling.ts';
import { webhookDeliveries } from '../ledger/tables/webhook-deliveries.ts';
import { ERASED, type Forgotten } from './forgotten.ts';

/** The columns of a row that hold what was typed, by their names. */
type Row = Record<string, unknown>;

/** A table with a UUID as its key, in which texts stand that were typed about members. */
export interface ErasedTable {
  name: string;
  /** The columns that change, with their SQL types. */
  columns: Readonly<Record<string, 'text' | 'json'>>;
  /** Further columns that `change` needs. */
  needs?: readonly string[];
  /** Where its rows have a source_reference that can be used once: what it names. */
  usedOnce?: ReferenceKind;
  /**
   * SQL: what has to be joined to know whose a row is, and the id of that member. The row has the name of its table.
   */
  owner: { join: string; memberId: string };
  /** Pure and idempotent. @param id of the row, UUID */
  change(row: Row, forgotten: Forgotten, id: string): Row;
}

export const EVENTS: ErasedTable = {
  name: 'events',
  columns: { data: 'json' },
  needs: ['type', 'program_id', 'at'],
  owner: { join: '', memberId: 'events.member_id' },
  change: ({ type, program_id: programId, at, data }, forgotten, id) => {
    const event = { id, type, programId, at, data } as EventRecord;
    return { data: data && storedData({ ...event, data: forgotten.json(wholeData(event)) }) };
  },
};

/** Every such table but transactions with their orders and returns, and idempotency keys. */
export const ERASED_TABLES: readonly ErasedTable[] = [...EVERY_TABLE.flatMap(erasedTables), EVENTS];

/** Deliveries with the member whose event they report. */
export const DELIVERIES: Pick<ErasedTable, 'name' | 'owner'> = {
  name: webhookDeliveries.name,
  owner: ownerOf(webhookDeliveries.name, webhookDeliveries.handling.owner),
};

function erasedTables({ name, handling: { erasure, owner }, table }: HandledTable): ErasedTable[] {
  if (typeof erasure === 'string') return [];
  const { columns, usedOnce } = erasure;
  const types = Object.keys(columns).map((column) => {
    const type = table?.columns.find((known) => known.name === column)?.type;
    if (type !== 'text' && type !== 'json') throw new Error(`${name} has no text or JSON in ${column}`);
    return [column, type] as const;
  });
  return [
    {
      name,
      columns: Object.fromEntries(types),
      ...(usedOnce && { usedOnce }),
      owner: ownerOf(name, owner),
      change: (row, forgotten) =>
        Object.fromEntries(
          Object.entries(columns).map(([column, becomes]) => [
            column,
            changed(becomes, row[column], forgotten),
          ]),
        ),
    },
  ];
}

function changed(becomes: ErasedColumn, value: unknown, forgotten: Forgotten): unknown {
  if (value === null || becomes === 'removed') return null;
  if (becomes === 'emptied') return {};
  if (becomes === 'sentence') return ERASED;
  return typeof value === 'string' ? forgotten.reference(value) : value;
}

/** How the member of a row is found: in its columns, or in the row that it belongs to. */
function ownerOf(name: string, owner: Owner): ErasedTable['owner'] {
  if (typeof owner === 'string') throw new Error(`rows of ${name} are of no member`);
  if ('members' in owner) {
    const columns = owner.members.map((column) => `${name}.${column}`);
    // The texts are about all of a row's members: whichever is erased first takes them away.
    const memberId =
      columns.length === 1
        ? `${columns[0]}`
        : `case when $3::uuid in (${columns.join(', ')}) then $3::uuid end`;
    return { join: '', memberId };
  }
  const { through, on } = owner;
  const join = `left join ${through} on ${through}.environment_id = $1::uuid and ${on}`;
  return { join, memberId: `${through}.member_id` };
}
