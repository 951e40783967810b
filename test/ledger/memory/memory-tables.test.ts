import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MemoryTable } from '../../../src/ledger/memory/memory-tables.ts';

interface Row {
  id: string;
  owner: string;
  isOpen: boolean;
}

const row = fc.record({
  id: fc.constantFrom('1', '2', '3', '4'),
  owner: fc.constantFrom('ann', 'ben'),
  isOpen: fc.boolean(),
});

test('an index finds what a search of all rows finds, however rows come and change after it was made', () => {
  const open = { properties: ['owner'], includes: ({ isOpen }: Row) => isOpen } as const;
  const all = { properties: ['owner'] } as const;
  fc.assert(
    fc.property(fc.array(row), fc.array(row), (before, after) => {
      const table = new MemoryTable<Row>();
      const ids = (rows: readonly Row[]): string[] => rows.map(({ id }) => id).sort();
      const expectFound = (owner: string): void => {
        const own = [...table.values()].filter((each) => each.owner === owner);
        expect(ids(table.by(all, owner))).toEqual(ids(own));
        expect(ids(table.by(open, owner))).toEqual(ids(own.filter(({ isOpen }) => isOpen)));
      };
      for (const each of before) table.set(each.id, each);
      for (const owner of ['ann', 'ben']) expectFound(owner);
      for (const each of after) {
        table.set(each.id, each);
        for (const owner of ['ann', 'ben']) expectFound(owner);
      }
    }),
  );
});
