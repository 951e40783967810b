import { type HttpScenario, OK } from './http-scenario.ts';
import { customerOf } from './purchases.ts';
import { headerLines } from './request-text.ts';
import type { PageId, Place } from './scenarios.ts';

export const PAGES: readonly { id: PageId; title: string }[] = [
  { id: 'p1', title: 'GET /api/v1/transactions' },
  { id: 'p2', title: '… of an externalCustomerId' },
  { id: 'p3', title: '… of a programId and the eventType order.returned' },
  { id: 'p4', title: '… the second page, by its cursor' },
];

/** Reads of a page of 50. Each list is longer than a page, so every page is full. */
export function pageReads(scenario: PageId, port: number, place: Place, cursor: string | null): HttpScenario {
  const headers = headerLines(place);
  const query = queryOf(scenario, place, cursor);
  return {
    port,
    steps: [
      {
        request: (number) =>
          `GET /api/v1/transactions?limit=50${query(number)} HTTP/1.1\r\n${headers(number)}\r\n`,
        statusLine: OK,
        mark: '"hasMore":true',
      },
    ],
    end: null,
    points: null,
  };
}

function queryOf(
  scenario: PageId,
  { members, programId }: Place,
  cursor: string | null,
): (number: number) => string {
  switch (scenario) {
    case 'p1':
      return () => '';
    case 'p2':
      return (number) => `&externalCustomerId=${customerOf(number, members)}`;
    case 'p3':
      return () => `&programId=${programId}&eventType=order.returned`;
    case 'p4': {
      if (cursor === null) throw new Error('The second page needs the cursor of the first');
      const parameter = `&cursor=${encodeURIComponent(cursor)}`;
      return () => parameter;
    }
  }
}
