import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { flushStatements } from '../../../src/ledger/batch/flush-batch.ts';
import { fetchesFor } from '../../../src/ledger/batch/load-plan.ts';
import { WorkingSet } from '../../../src/ledger/batch/working-set.ts';
import { checkRows } from '../../../src/ledger/memory/constraints.ts';
import { createMemoryTables, storedIn, writeRows } from '../../../src/ledger/memory/memory-tables.ts';
import {
  type AnyLookUpKey,
  LOOK_UPS,
  type RecordOf,
  TABLE_LIST,
  type TableName,
} from '../../../src/ledger/tables/all-tables.ts';
import type { SqlType } from '../../../src/ledger/tables/column.ts';
import type { RowSet } from '../../../src/ledger/tables/record-set.ts';
import type { Table } from '../../../src/ledger/tables/table.ts';
import { fixture } from '../../support/fixture.ts';
import { programId } from '../../support/surfaces/world.ts';
import { useConnection, useDatabase } from '../../support/use-database.ts';

/** Columns that may be null, as `table.column`. */
let nullable: ReadonlySet<string>;

/** A member besides those of the random rows: the target of merges. */
const otherMemberId = randomUUID();

interface ColumnRow {
  table: string;
  name: string;
  type: string;
  nullable: boolean;
}

const { database, world } = useDatabase();
const shop = fixture('the shop', () => world.environment());
const client = useConnection(() => database.adminPool);

beforeAll(async () => {
  await client.query(
    `insert into members (environment_id, id, external_customer_id, status, identity_status, consent_status,
      notice_version, consent_at, created_at)
    values ($1, $2, 'other', 'active', 'verified', 'granted', 'v1', now(), now())`,
    [shop.id, otherMemberId],
  );
  nullable = new Set(
    (await columnRows()).flatMap((column) => (column.nullable ? [`${column.table}.${column.name}`] : [])),
  );
});

async function columnRows(): Promise<ColumnRow[]> {
  const { rows } = await client.query<ColumnRow>(
    `select c.relname as table, a.attname as name, format_type(a.atttypid, -1) as type,
        not a.attnotnull as nullable
      from pg_attribute a
      join pg_class c on c.oid = a.attrelid and c.relkind = 'r'
      where c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
        and a.attname <> 'environment_id'`,
  );
  return rows;
}

describe('a description says of its table what the migrations say', () => {
  test.each(TABLE_LIST)('%s: every column, with its type', async (_name, table) => {
    const columns = (await columnRows()).filter((column) => column.table === table.name);
    expect(columns.length).toBeGreaterThan(0);
    const described = table.columns
      .filter(({ isJoined }) => !isJoined)
      .map(({ name, type }) => [name, type === 'timestamptz' ? 'timestamp with time zone' : type]);
    const [others, read] = [true, false].map((is) =>
      columns.filter((column) => table.otherColumns.includes(column.name) === is),
    );
    expect(described.sort()).toEqual(read?.map((column) => [column.name, column.type]).sort());
    expect(others?.map((column) => column.name).sort()).toEqual([...table.otherColumns].sort());
  });

  test.each(TABLE_LIST)('%s: the primary key, and the unique keys', async (name, table) => {
    const { rows } = await client.query<{ columns: string[]; primary: boolean }>(
      `select array_agg(a.attname::text order by a.attname) as columns, i.indisprimary as primary
        from pg_index i
        cross join unnest(i.indkey::smallint[]) as k(number)
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
        where i.indrelid = $1::regclass and i.indisunique
        group by i.indexrelid, i.indisprimary`,
      [table.name],
    );
    const keys = rows
      .map(({ columns }) => columns.filter((column) => column !== 'environment_id').join())
      .filter((key) => !table.otherColumns.includes(key));
    const columnsOf = (properties: readonly string[]): string =>
      properties
        .map((property) => table.columns.find((column) => column.property === property)?.name)
        .sort()
        .join();
    const once = table.insertedOnce ? [columnsOf(table.insertedOnce.properties)] : [];
    // Commands identify a lot by its id alone. Its primary key begins with the profile, so that a profile's lots are
    // stored together.
    const knownBy = name === 'lots' ? table.primaryKey : table.knownBy.properties;
    const described = [
      columnsOf(table.primaryKey),
      columnsOf(knownBy),
      ...table.unique.map(({ properties }) => columnsOf(properties)),
      ...once,
    ];
    expect([...new Set(described)].sort()).toEqual(keys.sort());
  });
});

// Citus sends one row of VALUES to its shard. The result of a SELECT it copies there, and commits in two phases: only
// members, which have lists, are written so.
test.each(TABLE_LIST.filter(([name]) => name !== 'members'))(
  '%s: rows are written by VALUES',
  (_name, table) => {
    const written = [table.insert(shop.id, [])];
    if (table.writes !== 'inserted') written.push(...table.update(shop.id, []));
    for (const { text } of written) expect(text).not.toMatch(/^insert into[^(]+\([^)]*\)\s*select/);
  },
);

test.each(LOOK_UPS.map(({ lookUp }) => [lookUp.name, lookUp] as const))(
  '%s locks in Postgres where it locks in memory',
  (_name, lookUp) => {
    expect(/for (no key )?update/.test(lookUp.statement(shop.id, []).text)).toBe(lookUp.locks);
  },
);

// These rows are changed from what was read of them. All else that changes is guarded by the lock on its profile.
test('profiles, members, stocks, shared counters and codes are locked, in this order', () => {
  const locking = LOOK_UPS.filter(({ lookUp }) => lookUp.locks);
  expect(locking.map(({ table }) => table.name)).toEqual([
    'program_profiles',
    'members',
    'reward_stocks',
    'shared_counters',
    'coupon_codes',
    'webhook_endpoints',
    'webhook_deliveries',
  ]);
});

/** The ids that the rows of one member have in common. */
interface Ids {
  memberId: string;
  transactionId: string;
  lotId: string;
  quoteId: string;
  reservationId: string;
  grantId: string;
  adjustmentId: string;
  eventId: string;
  claimId: string;
  codeHash: string;
  /** The reference of every row that has one. */
  reference: string;
  receipt: object;
}

type Valid<R> = { [P in keyof R]?: fc.Arbitrary<R[P]> };

const is = fc.constant;
const oneOf = <V>(...values: V[]): fc.Arbitrary<V> => fc.constantFrom(...values);
const some = fc.integer({ min: 1, max: 30 });
const recent = new Date(Date.now() - 86_400_000);

/** The values that satisfy the constraints of each table, where the type of the column is not enough. */
const VALID: { [N in TableName]: (ids: Ids) => Valid<RecordOf<N>> } = {
  members: ({ memberId, reference }) => ({
    id: is(memberId),
    externalCustomerId: is(reference),
    status: oneOf('active', 'suspended', 'erased'),
    identityStatus: oneOf('verified', 'unverified'),
    consentStatus: oneOf('granted', 'withdrawn'),
    // Written by administration alone.
    lists: is([]),
    mergedInto: is(null),
  }),
  memberMerges: ({ memberId, reference }) => ({
    id: is(reference),
    sourceMemberId: is(memberId),
    targetMemberId: is(otherMemberId),
    state: oneOf('requested'),
    decidedBy: is(null),
    unmergeRequestedBy: is(null),
    unmergedBy: is(null),
    unmergedAt: is(null),
  }),
  mergeUndos: ({ reference }) => ({
    mergeId: is(reference),
    undo: is({ moved: [] }),
    touched: is(false),
  }),
  profiles: ({ memberId, reference }) => ({
    memberId: is(memberId),
    programId: is(programId),
    enrolled: is(true),
    unenrolledAt: is(null),
    referralCode: oneOf(reference, null),
    referredBy: oneOf(memberId, null),
  }),
  consents: ({ memberId, reference }) => ({
    id: is(reference),
    memberId: is(memberId),
    status: oneOf('granted', 'withdrawn'),
  }),
  transactions: ({ transactionId, memberId, reference, receipt }) => ({
    id: is(transactionId),
    programId: is(programId),
    memberId: is(memberId),
    // The same as that of the order, because a look-up joins the two by it.
    sourceReference: is(reference),
    state: is('committed'),
    reversalOf: oneOf(transactionId, null),
    reversedBy: is(null),
    receipt: is(receipt),
  }),
  lots: ({ lotId, memberId, transactionId }) => ({
    id: is(lotId),
    memberId: is(memberId),
    programId: is(programId),
    transactionId: is(transactionId),
    granted: is(100),
    pending: some,
    available: some,
    reserved: some,
    claimed: some,
    lent: fc.integer({ min: -30, max: 10 }),
    originLotId: oneOf(lotId, null),
    activatesAt: is(recent),
    inactivityDays: oneOf(30, null),
  }),
  lotExpiryChanges: ({ lotId, memberId }) => ({
    programId: is(programId),
    memberId: is(memberId),
    lotId: is(lotId),
  }),
  expiryNotices: ({ lotId, memberId }) => ({
    programId: is(programId),
    memberId: is(memberId),
    lotId: is(lotId),
  }),
  postings: ({ transactionId, memberId, lotId }) => ({
    transactionId: is(transactionId),
    line: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
    programId: is(programId),
    memberId: is(memberId),
    debitAccount: oneOf('program.issuance', 'member.pending'),
    creditAccount: oneOf('member.available', 'program.expiry'),
    amount: some,
    lotId: is(lotId),
  }),
  campaignAwards: ({ memberId, transactionId }) => ({
    programId: is(programId),
    memberId: is(memberId),
    transactionId: is(transactionId),
    heldOut: is(false),
    points: is(3),
    earnedPoints: is(30),
  }),
  orders: ({ reference, memberId, transactionId }) => ({
    sourceReference: is(reference),
    programId: is(programId),
    memberId: is(memberId),
    transactionId: is(transactionId),
    state: oneOf('active', 'partially_returned', 'returned'),
    amountMinor: is(100),
    returnedMinor: some,
    points: is(100),
    clawedBack: some,
  }),
  returns: ({ reference, transactionId, receipt }) => ({
    returnReference: is(reference),
    sourceReference: is(reference),
    transactionId: is(transactionId),
    receipt: is(receipt),
  }),
  quotes: ({ quoteId, memberId }) => ({
    id: is(quoteId),
    programId: is(programId),
    memberId: is(memberId),
    state: is('quoted'),
    points: some,
  }),
  reservations: ({ reservationId, quoteId, memberId, transactionId, reference }) => ({
    id: is(reservationId),
    quoteId: is(quoteId),
    programId: is(programId),
    memberId: is(memberId),
    rewardId: is(reference),
    state: is('reserved'),
    points: is(100),
    reversedMinor: some,
    reversedPoints: some,
    reserveTransactionId: is(transactionId),
    commitTransactionId: is(null),
    transactionId: is(transactionId),
    fulfillmentStatus: oneOf('pending', 'shipped', 'delivered', 'failed', null),
  }),
  disputes: ({ reference, reservationId }) => ({
    id: is(reference),
    reservationId: is(reservationId),
    state: is('open'),
    closedAt: is(null),
  }),
  stocks: ({ reference }) => ({ programId: is(programId), rewardId: is(reference) }),
  sharedCounters: ({ reference }) => ({ programId: is(programId), counterId: is(reference) }),
  couponCodes: ({ codeHash, memberId }) => ({
    programId: is(programId),
    codeHash: is(codeHash),
    uses: oneOf(0, 1),
    usesAllowed: some,
    assignedTo: oneOf(memberId, null),
  }),
  couponRedemptions: ({ transactionId, codeHash, memberId }) => ({
    transactionId: is(transactionId),
    programId: is(programId),
    codeHash: is(codeHash),
    memberId: is(memberId),
  }),
  customEvents: ({ eventId, memberId, reference }) => ({
    id: is(eventId),
    sourceReference: is(reference),
    memberId: is(memberId),
  }),
  challengeProgress: ({ memberId, reference }) => ({
    programId: is(programId),
    memberId: is(memberId),
    challengeId: is(reference),
    windowStart: is(recent),
  }),
  choiceGrants: ({ grantId, memberId }) => ({
    id: is(grantId),
    programId: is(programId),
    memberId: is(memberId),
    choices: is(30),
    remaining: some,
    state: is('open'),
  }),
  choiceClaims: ({ claimId, grantId, memberId, reference }) => ({
    id: is(claimId),
    sourceReference: is(reference),
    grantId: is(grantId),
    programId: is(programId),
    memberId: is(memberId),
  }),
  adjustments: ({ adjustmentId, memberId }) => ({
    id: is(adjustmentId),
    programId: is(programId),
    memberId: is(memberId),
    direction: oneOf('credit', 'debit'),
    points: some,
    state: oneOf('requested', 'expired'),
    decidedBy: is(null),
    reversedBy: is(null),
    transactionId: is(null),
    reversalTransactionId: is(null),
  }),
  exchangeSettlements: ({ reference, memberId, transactionId }) => ({
    settlementReference: is(reference),
    programId: is(programId),
    memberId: is(memberId),
    direction: oneOf('in', 'out'),
    points: some,
    transactionId: is(transactionId),
    reverses: is(null),
    reversedBy: oneOf(reference, null),
  }),
  limitCounters: ({ memberId, reference }) => ({
    programId: is(programId),
    memberId: is(memberId),
    limitId: is(reference),
    periodStart: is(new Date(0)),
  }),
  idempotency: ({ reference, transactionId, receipt }) => ({
    operation: is('purchaseEarn'),
    key: is(reference),
    fingerprint: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes)),
    transactionId: oneOf(transactionId, null),
    receipt: is(receipt),
  }),
  webhookEndpoints: ({ reference }) => ({
    id: is(reference),
    place: is(null),
    eventTypes: is(['points.earned']),
    status: is('disabled'),
    disabledReason: oneOf('gone', 'failing', 'url_changed', 'operator', null),
    verifiedAt: is(null),
    previousSecret: is(null),
    previousSecretUntil: is(null),
    deletedAt: is(new Date('2026-03-01')),
  }),
  webhookDeliveries: ({ reference }) => ({
    id: is(reference),
    endpointId: is(reference),
    epoch: is(1),
    sequence: is(1),
    eventId: is(null),
    eventType: is('webhook.test'),
    status: is('dead_letter'),
    nextAttemptAt: is(null),
    attemptCount: is(0),
    deliveredAt: is(null),
    lastResponseStatus: is(null),
    lastError: is(null),
  }),
  operations: ({ reference }) => ({
    id: is(reference),
    type: is('webhook_replay'),
    status: is('queued'),
    input: is({ endpointId: reference }),
    leaseUntil: is(null),
  }),
  events: () => ({ programId: oneOf(programId, null) }),
  audits: ({ reference }) => ({ id: is(reference) }),
};

/** The subjects and needs that lead to the rows of one member. */
function wantedOf(ids: Ids): AnyLookUpKey[] {
  const { memberId, reference } = ids;
  const profile = { programId, externalCustomerId: reference };
  return [
    { kind: 'member', externalCustomerId: reference },
    { kind: 'changedMember', externalCustomerId: reference },
    { kind: 'mergingMember', externalCustomerId: reference },
    { kind: 'memberMerge', id: reference },
    { kind: 'mergeUndo', mergeId: reference },
    { kind: 'webhookEndpoint', id: reference },
    { kind: 'webhookDelivery', id: reference },
    { kind: 'unfinishedReplays', endpointId: reference },
    { kind: 'profile', ...profile },
    { kind: 'order', sourceReference: reference },
    { kind: 'limitCounters', ...profile, at: null },
    { kind: 'idempotencyKey', operation: 'purchaseEarn', key: reference },
    { kind: 'return', returnReference: reference },
    { kind: 'quote', id: ids.quoteId },
    { kind: 'openQuotes', ...profile },
    { kind: 'reservation', id: ids.reservationId },
    { kind: 'points', ...profile, points: 5 },
    { kind: 'openReservations', memberId, programId },
    { kind: 'adjustment', id: ids.adjustmentId },
    { kind: 'exchangeSettlement', settlementReference: reference },
    { kind: 'disputes', reservationId: ids.reservationId },
    { kind: 'transaction', transactionId: ids.transactionId },
    { kind: 'expiringLot', memberId, programId, lotId: ids.lotId },
    { kind: 'spending', memberId, programId, points: 1_000 },
    { kind: 'duePending', memberId, programId },
    { kind: 'pending', memberId, programId },
    { kind: 'owing', memberId, programId },
    { kind: 'formerMember', memberId },
    { kind: 'formerAccount', memberId },
    { kind: 'keptLot', memberId, programId, lotId: ids.lotId },
    { kind: 'lotsFrom', memberId, programId, originMemberId: memberId },
    { kind: 'rewardStock', programId, rewardId: reference },
    { kind: 'sharedCounter', programId, counterId: reference },
    { kind: 'couponCodeHash', programId, codeHash: ids.codeHash },
    { kind: 'customEvent', sourceReference: reference },
    { kind: 'choiceClaim', sourceReference: reference },
    { kind: 'challengeProgress', externalCustomerId: reference },
    { kind: 'choiceGrants', externalCustomerId: reference },
  ];
}

// Text that Postgres can store: without NUL.
const text = fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\u0000', '').toWellFormed());
const json = fc.dictionary(text, fc.jsonValue()).map((value) => JSON.parse(JSON.stringify(value)) as object);
const OF_TYPE: Record<SqlType, fc.Arbitrary<unknown>> = {
  uuid: fc.uuid(),
  text,
  bigint: fc.maxSafeNat(),
  integer: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
  boolean: fc.boolean(),
  timestamptz: fc.date({ min: new Date('0100-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
  bytea: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  json,
  'text[]': fc.array(text),
};

const idsArbitrary: fc.Arbitrary<Ids> = json.map((receipt) => ({
  memberId: randomUUID(),
  transactionId: randomUUID(),
  lotId: randomUUID(),
  quoteId: randomUUID(),
  reservationId: randomUUID(),
  grantId: randomUUID(),
  adjustmentId: randomUUID(),
  eventId: randomUUID(),
  claimId: randomUUID(),
  codeHash: randomUUID(),
  reference: randomUUID(),
  receipt,
}));

type Rows = { readonly [N in TableName]: object };

/** One valid row of every table; all values that no constraint fixes are random. */
function rowsOf(ids: Ids): fc.Arbitrary<Rows> {
  const tables = TABLE_LIST.map(([name, table]) => {
    const valid: Readonly<Record<string, fc.Arbitrary<unknown>>> = VALID[name](ids);
    const properties = table.columns.map(({ property, name: column, type }) => {
      const any = OF_TYPE[type];
      const isNullable = nullable.has(`${table.name}.${column}`);
      return [property, valid[property] ?? (isNullable ? fc.option(any) : any)];
    });
    return [name, fc.record(Object.fromEntries(properties) as Record<string, fc.Arbitrary<unknown>>)];
  });
  return fc.record(Object.fromEntries(tables) as Record<TableName, fc.Arbitrary<object>>);
}

const batch = idsArbitrary.chain((ids) =>
  fc.record({ ids: is(ids), first: rowsOf(ids), second: rowsOf(ids) }),
);

/** A row with the values of another one in the columns that updates set. */
function updated(table: Table, row: object, values: object): object {
  const set = new Set(table.updatedColumns.map(({ property }) => property as string));
  return { ...row, ...Object.fromEntries(Object.entries(values).filter(([property]) => set.has(property))) };
}

function workingSet(): WorkingSet {
  const environment = { id: shop.id, kind: 'sandbox', locked: false, revision: 1 } as const;
  return new WorkingSet(environment, new Map(), randomUUID);
}

async function flush(working: WorkingSet): Promise<void> {
  for (const statement of flushStatements(working)) await client.query(statement);
}

test('records of every table come back as they were written, from Postgres and from memory', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 3 }), async (batches) => {
      const memory = createMemoryTables();
      await client.query('begin');
      try {
        const inserting = workingSet();
        for (const { first } of batches) {
          for (const [name] of TABLE_LIST) (inserting.rows[name] as RowSet<object>).insert(first[name]);
        }
        checkRows(inserting, memory);
        writeRows(memory, inserting);
        await flush(inserting);
        await expectSame(batches, memory);

        const updating = workingSet();
        for (const { ids, first, second } of batches) {
          for (const [name, table] of TABLE_LIST) {
            if (table.writes === 'inserted') continue;
            const rows: RowSet<object> = updating.rows[name];
            const reversed = { id: ids.transactionId, state: 'reversed', reversedBy: ids.transactionId };
            if (name !== 'transactions') rows.load(first[name]);
            rows.update(name === 'transactions' ? reversed : updated(table, first[name], second[name]));
          }
        }
        checkRows(updating, memory);
        writeRows(memory, updating);
        await flush(updating);
        await expectSame(batches, memory);
      } finally {
        await client.query('rollback');
      }
    }),
    { numRuns: 25 },
  );
});

/**
 * Expects every look-up to find the same rows in Postgres and in memory, and the rows without a look-up to be equal.
 */
async function expectSame(
  batches: readonly { ids: Ids }[],
  memory: ReturnType<typeof createMemoryTables>,
): Promise<void> {
  const seen = new Set<TableName>();
  for (const { name, table, lookUp, keys } of fetchesFor(batches.flatMap(({ ids }) => wantedOf(ids)))) {
    const { rows } = await client.query<object>(lookUp.statement(shop.id, keys));
    const found = keys.flatMap((one) => [...lookUp.find(storedIn(memory), one, new Date())]);
    const byKey = (row: object): [string, object] => [table.keyOf(row), table.pick(row)];
    expect([lookUp.name, new Map(rows.map(byKey))]).toEqual([lookUp.name, new Map(found.map(byKey))]);
    // No random member is merged, and no lot was moved: neither can be so into itself.
    if (!['load_merged_members', 'load_lots_from'].includes(lookUp.name)) {
      expect([lookUp.name, rows.length >= batches.length]).toEqual([lookUp.name, true]);
    }
    seen.add(name);
  }
  for (const [name, table] of TABLE_LIST) {
    if (seen.has(name)) continue;
    expect(table.lookUps).toEqual([]);
    const stored = [...memory[name].values()];
    const { rows } = await client.query<object>(
      `select ${table.select('t')} from ${table.name} t where environment_id = $1`,
      [shop.id],
    );
    expect(stored.length).toBe(batches.length);
    // Earlier rounds have left rows of their own.
    const keys = new Set(stored.map((row) => table.keyOf(row)));
    const found = rows.map((row): [string, object] => [table.keyOf(row), row]);
    expect(new Map(found.filter(([key]) => keys.has(key)))).toEqual(
      new Map(memory[name] as ReadonlyMap<string, object>),
    );
  }
}
