import type { Measured } from './bench.ts';
import { type Comparison, ofRates, rate } from './comparison.ts';
import type { Rounds } from './goals.ts';
import { inTurn } from './in-turn.ts';
import { PAGES } from './pages.ts';
import { whole } from './report.ts';
import type { PageId } from './scenarios.ts';
import type { Side } from './side.ts';

export const CONNECTIONS = 16;
const WARM_UP_SECONDS = 1;
const SLICE_SECONDS = 2;
const GOAL = { atMost: 1.2 };

/** Compares pages of transactions of a short history with those of the long one. @param length of the short history */
export async function comparePages(
  short: Side,
  full: Side,
  { length: shortLength, seconds, rounds }: { length: number; seconds: number; rounds: Rounds },
): Promise<Comparison[]> {
  const cursors = new Map<Side, string>();
  for (const side of [short, full]) cursors.set(side, await secondPage(side));
  const measure = (id: PageId, side: Side, length: number): Promise<Measured> =>
    side.bench.measure(id, length, CONNECTIONS, { at: [side.own], cursor: cursors.get(side) ?? '' });
  const sides = { short, long: full, measure };
  return compareCosts(PAGES, sides, { against: `cost of ${whole(shortLength)}`, seconds, rounds });
}

/** Compares the cost of each page on a long side with that on a short one. */
export async function compareCosts<Id extends string, OneSide>(
  pages: readonly { id: Id; title: string }[],
  sides: {
    short: OneSide;
    long: OneSide;
    measure(id: Id, side: OneSide, seconds: number): Promise<Measured>;
  },
  { against, seconds, rounds }: { against: string; seconds: number; rounds: Rounds },
): Promise<Comparison[]> {
  const { short, long, measure } = sides;
  for (const { id } of pages)
    for (const side of [short, long]) await measure(id, side, Math.min(WARM_UP_SECONDS, seconds));
  const comparisons: Comparison[] = [];
  for (const { id, title } of pages) {
    const length = Math.min(SLICE_SECONDS, seconds);
    const made = await inTurn<Measured>(
      {
        id,
        base: () => measure(id, short, length),
        measured: () => measure(id, long, length),
        // The cost of a page is the inverse of the rate.
        figure: (measured, base) => rate(base as Measured) / rate(measured),
        goal: GOAL,
      },
      rounds,
    );
    const named = { id, title, conditions: `${CONNECTIONS} HTTP`, goal: GOAL, rounds, against };
    comparisons.push(ofRates(named, made));
  }
  return comparisons;
}

/** The cursor of the second page, from the response of the first one. */
async function secondPage({ stage: { target }, own: { place } }: Side): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${target.serverPort}/api/v1/transactions?limit=50`, {
    headers: { Authorization: `Bearer ${place.apiKeys[0]}`, 'X-Environment': place.environmentId },
  });
  if (!response.ok) throw new Error(`A page was refused: ${await response.text()}`);
  const { page } = (await response.json()) as { page: { nextCursor: string } };
  return page.nextCursor;
}
