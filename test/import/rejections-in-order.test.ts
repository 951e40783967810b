import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RejectionsInOrder } from '../../src/import/rejections-in-order.ts';

test('whatever ends first, rejected rows are told of in the order of the file, each once, none late', () => {
  const rows = fc.array(
    fc.record({ sent: fc.boolean(), rejected: fc.boolean(), endsAfter: fc.integer({ min: 0, max: 20 }) }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(rows, (file) => {
      const told: number[] = [];
      const rejections = new RejectionsInOrder(({ line }) => told.push(line));
      const reject = (line: number) =>
        rejections.add({ line, reference: '', code: 'invalid_row', message: '' });
      const open = new Set<number>();
      const end = (line: number) => {
        if (file[line]?.rejected) reject(line);
        open.delete(line);
        rejections.end(line);
      };
      for (const [line, { sent, rejected }] of file.entries()) {
        if (sent) {
          open.add(line);
          rejections.begin(line);
        } else if (rejected) reject(line);
        for (const earlier of [...open]) {
          if (earlier + (file[earlier]?.endsAfter ?? 0) <= line) end(earlier);
        }
        // What has nothing open before it is not kept back.
        const oldest = Math.min(...open, line + 1);
        const due = file.flatMap((row, at) => (row.rejected && at < oldest ? [at] : []));
        expect(told).toEqual(due);
      }
      for (const line of [...open].reverse()) end(line);
      expect(told).toEqual(file.flatMap((row, at) => (row.rejected ? [at] : [])));
    }),
  );
});
