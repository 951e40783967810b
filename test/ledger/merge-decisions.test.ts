import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newUuid } from '../../src/ids.ts';
import { WorkingSet } from '../../src/ledger/batch/working-set.ts';
import type { Inserts, Updates } from '../../src/ledger/command.ts';
import { type DecisionPart, mergeDecisions } from '../../src/ledger/merge-decisions.ts';

// These lists do not compile where a table is missing.
const INSERTS = Object.keys({
  members: 0,
  memberMerges: 0,
  mergeUndos: 0,
  profiles: 0,
  consents: 0,
  transactions: 0,
  lots: 0,
  expiryNotices: 0,
  postings: 0,
  orders: 0,
  campaignAwards: 0,
  returns: 0,
  quotes: 0,
  reservations: 0,
  disputes: 0,
  adjustments: 0,
  exchangeSettlements: 0,
  couponCodes: 0,
  couponRedemptions: 0,
  customEvents: 0,
  choiceGrants: 0,
  choiceClaims: 0,
  webhookEndpoints: 0,
  webhookDeliveries: 0,
  operations: 0,
} satisfies Record<keyof Inserts, 0>) as (keyof Inserts)[];
const UPDATES = Object.keys({
  profiles: 0,
  lots: 0,
  orders: 0,
  limitCounters: 0,
  members: 0,
  memberMerges: 0,
  transactions: 0,
  quotes: 0,
  reservations: 0,
  disputes: 0,
  stocks: 0,
  sharedCounters: 0,
  couponCodes: 0,
  challengeProgress: 0,
  choiceGrants: 0,
  adjustments: 0,
  exchangeSettlements: 0,
  webhookEndpoints: 0,
  webhookDeliveries: 0,
} satisfies Record<keyof Updates, 0>) as (keyof Updates)[];

/** What `mergeDecisions` uses of a part: lists by name. The contents of their rows do not matter. */
type Lists = Record<string, readonly object[] | undefined>;

function partOf(inserts: Lists, updates: Lists, audits: object[] = [], webhookEvents: object[] = []) {
  return { inserts, updates, audits, webhookEvents } as unknown as DecisionPart;
}

/** One row in each table, and one audit and event, all of this name. */
function fullPart(name: string): DecisionPart {
  const rows = (tables: readonly string[]): Lists =>
    Object.fromEntries(tables.map((table) => [table, [{ table, name }]]));
  return partOf(rows(INSERTS), rows(UPDATES), [{ action: name }], [{ type: name }]);
}

const rows = fc.array(
  fc.nat({ max: 99 }).map((id) => ({ id })),
  { maxLength: 3 },
);
const listsOf = (tables: readonly string[]): fc.Arbitrary<Lists> =>
  fc.record(Object.fromEntries(tables.map((table) => [table, rows])), { requiredKeys: [] });
const anyPart: fc.Arbitrary<DecisionPart> = fc.oneof(
  fc.tuple(listsOf(INSERTS), listsOf(UPDATES), rows, rows).map((lists) => partOf(...lists)),
  listsOf(UPDATES).map((updates) => ({ updates }) as unknown as DecisionPart),
  fc.constant({}),
);

/** All rows of one list, part by part. */
function rowsOf(parts: readonly DecisionPart[], side: 'inserts' | 'updates', table: string): object[] {
  return parts.flatMap((part) => (part[side] as Lists | undefined)?.[table] ?? []);
}

describe('merging decisions', () => {
  test.each(INSERTS)('keeps inserts into %s of every part, in order', (table) => {
    const { inserts } = mergeDecisions(fullPart('first'), fullPart('second'));
    expect(inserts[table]).toEqual([
      { table, name: 'first' },
      { table, name: 'second' },
    ]);
  });

  test.each(UPDATES)('keeps updates of %s of every part, in order', (table) => {
    const { updates } = mergeDecisions(fullPart('first'), fullPart('second'));
    expect(updates[table]).toEqual([
      { table, name: 'first' },
      { table, name: 'second' },
    ]);
  });

  test('keeps audits and events of every part, in order', () => {
    const { audits, webhookEvents } = mergeDecisions(fullPart('first'), {}, fullPart('second'));
    expect(audits).toEqual([{ action: 'first' }, { action: 'second' }]);
    expect(webhookEvents).toEqual([{ type: 'first' }, { type: 'second' }]);
  });

  test('of no parts is nothing', () => {
    expect(mergeDecisions()).toEqual({ inserts: {}, updates: {}, audits: [], webhookEvents: [] });
  });

  test('loses nothing, adds nothing, keeps the order, and leaves the parts as they are', () => {
    fc.assert(
      fc.property(fc.array(anyPart, { maxLength: 5 }), (parts) => {
        const before = structuredClone(parts);
        const merged = mergeDecisions(...parts);
        for (const table of INSERTS) {
          expect(rowsOf([merged], 'inserts', table)).toEqual(rowsOf(parts, 'inserts', table));
        }
        for (const table of UPDATES) {
          expect(rowsOf([merged], 'updates', table)).toEqual(rowsOf(parts, 'updates', table));
        }
        expect(merged.audits).toEqual(parts.flatMap(({ audits = [] }) => audits));
        expect(merged.webhookEvents).toEqual(parts.flatMap(({ webhookEvents = [] }) => webhookEvents));
        // A later change of the result does not change a part either.
        for (const list of Object.values(merged.inserts)) list.splice(0);
        merged.audits.splice(0);
        expect(parts).toEqual(before);
      }),
    );
  });

  test('is associative', () => {
    fc.assert(
      fc.property(anyPart, anyPart, anyPart, (a, b, c) => {
        const whole = mergeDecisions(a, b, c);
        expect(mergeDecisions(mergeDecisions(a, b), c)).toEqual(whole);
        expect(mergeDecisions(a, mergeDecisions(b, c))).toEqual(whole);
      }),
    );
  });

  test('of two updates of one row the last one holds', () => {
    const stock = { programId: 'p', rewardId: 'mug' };
    const environment = { id: newUuid(), kind: 'sandbox' as const, locked: false, revision: 1 };
    const working = new WorkingSet(environment, new Map(), newUuid);
    working.admit({ kind: 'stock', ...stock });
    const steps = [1, 2].map((taken) => ({ updates: { stocks: [{ ...stock, taken }] } }));
    working.apply(mergeDecisions(...steps), new Date(0));
    expect(working.stock('p', 'mug')).toEqual({ ...stock, taken: 2 });
  });

  test('keeps what was lost as long as the tables to join were listed by hand', () => {
    const buyer = partOf({ lots: [{ of: 'buyer' }], choiceGrants: [{ of: 'buyer' }] }, {});
    const referrer = partOf(
      { lots: [{ of: 'referrer' }], choiceGrants: [{ of: 'referrer' }] },
      { limitCounters: [{ of: 'referrer' }] },
    );
    // A referral once joined transactions, lots, postings, profiles and orders by hand, and lost the referrer's rows of
    // every other table.
    const byHand = {
      ...buyer.inserts,
      lots: [...(buyer.inserts?.lots ?? []), ...(referrer.inserts?.lots ?? [])],
    };
    expect(byHand.choiceGrants).toEqual([{ of: 'buyer' }]);
    const { inserts, updates } = mergeDecisions(buyer, referrer);
    expect(inserts.choiceGrants).toEqual([{ of: 'buyer' }, { of: 'referrer' }]);
    expect(updates.limitCounters).toEqual([{ of: 'referrer' }]);
  });
});
