import { readFile } from 'node:fs/promises';
import { beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { createEnvironment } from '../../../src/admin/environments/create-environment.ts';
import { createTenant } from '../../../src/admin/environments/create-tenant.ts';
import { publishProgram } from '../../../src/admin/programs/publish-program.ts';
import { showProgram } from '../../../src/admin/shared/show-program.ts';
import { newUuid } from '../../../src/ids.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { parseProgram } from '../../../src/programs/parse/parse-program.ts';
import { useAdministrator } from '../../support/use-administrator.ts';
import { useDatabase } from '../../support/use-database.ts';
import { validateStored } from '../../support/webhooks/validate-event.ts';

let environmentId: string;
let document: ProgramDocument;

const { database } = useDatabase();
const administrator = useAdministrator(database);

beforeAll(async () => {
  const parsed = parseProgram(await readFile('demo/coffee-club.yaml', 'utf8'));
  if (!parsed.ok) throw new Error('the demo program is not valid');
  document = parsed.document;
});

beforeEach(async () => {
  const { tenantId } = await createTenant(administrator, 'Beans & Co');
  const made = await createEnvironment(administrator, { tenantId, kind: 'sandbox', name: 'S' });
  if ('refused' in made) throw new Error(made.message);
  environmentId = made.environmentId;
});

async function publish(published: ProgramDocument, effectiveFrom: Date | null = null) {
  return publishProgram(administrator, { environmentId, document: published, effectiveFrom });
}

async function revision(): Promise<number> {
  return Number(
    (await administrator.prisma.environment.findUniqueOrThrow({ where: { id: environmentId } })).revision,
  );
}

test('versions are numbered from 1, kept whole, and counted in the revision of the environment', async () => {
  const before = await revision();
  expect(await publish(document)).toMatchObject({ programId: 'coffee-club', version: 1, published: true });
  expect(await publish({ ...document, name: 'Coffee Circle' })).toMatchObject({
    version: 2,
    published: true,
  });
  expect(await revision()).toBe(before + 2);
  expect(await showProgram(administrator.prisma, environmentId, 'coffee-club', 1)).toMatchObject({
    version: 1,
    document,
    versions: [{ version: 1, publishedBy: 'ada' }, { version: 2 }],
  });
  expect(await showProgram(administrator.prisma, environmentId, 'coffee-club', null)).toMatchObject({
    version: 2,
    document: { name: 'Coffee Circle' },
  });
  const { rows } = await database.adminPool.query(
    `select target_id, changes ->> 'version' as version from audit_events
     where environment_id = $1 and action = 'program.published' order by id`,
    [environmentId],
  );
  expect(rows).toEqual([
    { target_id: 'coffee-club', version: '1' },
    { target_id: 'coffee-club', version: '2' },
  ]);
});

test('the very document that was published last is not published again, whatever the order of its keys', async () => {
  await publish(document);
  const before = await revision();
  const reordered = Object.fromEntries(Object.entries(document).reverse()) as unknown as ProgramDocument;
  expect(await publish(reordered)).toMatchObject({ version: 1, published: false });
  expect(await revision()).toBe(before);
});

test('an older document may be published anew', async () => {
  await publish(document);
  await publish({ ...document, name: 'Coffee Circle' });
  expect(await publish(document)).toMatchObject({ version: 3, published: true });
});

test('a version can take effect later', async () => {
  const effectiveFrom = new Date('2099-01-01T00:00:00.000Z');
  expect(await publish(document, effectiveFrom)).toMatchObject({ version: 1, effectiveFrom });
});

test('a document that takes effect later can be published to take effect sooner, but not later still', async () => {
  await publish(document, new Date('2099-01-01T00:00:00.000Z'));
  expect(await publish(document, new Date('2099-01-01T00:00:00.000Z'))).toMatchObject({ published: false });
  expect(await publish(document, new Date('2099-06-01T00:00:00.000Z'))).toMatchObject({
    version: 1,
    published: false,
  });
  const now = await publish(document);
  expect(now).toMatchObject({ version: 2, published: true });
  expect('effectiveFrom' in now && now.effectiveFrom <= new Date()).toBe(true);
  expect(await publish(document)).toMatchObject({ version: 2, published: false });
});

test('each publication is an event; what changes nothing or is refused is none', async () => {
  await publish(document);
  await publish(document);
  await publish({ ...document, name: 'Coffee Circle' });
  await publish({ ...document, currency: 'EUR' });
  const { rows } = await database.adminPool.query(
    `select type, program_id, member_id, data from events where environment_id = $1 order by written_at`,
    [environmentId],
  );
  const published = (version: number) => ({
    type: 'program.published',
    program_id: 'coffee-club',
    member_id: null,
    data: { programId: 'coffee-club', version, effectiveFrom: expect.any(String) },
  });
  expect(rows).toEqual([published(1), published(2)]);
  expect(await validateStored(database.adminPool)).toEqual([]);
});

test('offers of all programs that no cart could be evaluated for are refused together', async () => {
  // Four programs whose 500 offers have 100 conditions each, on the cart and on its lines: 60,001 steps a program.
  await database.adminPool.query(
    `with condition as (
       select '{"field":"context.store","operator":"equals","value":"x"}'::jsonb as one
     ), conditions as (
       select jsonb_build_object('match', 'any', 'conditions', jsonb_agg(one)) as fifty
       from condition, generate_series(1, 50)
     ), offers as (
       select jsonb_agg(fifty || jsonb_build_object('id', 'offer-' || number, 'scope', 'environment', 'lines', fifty)) as all
       from conditions, generate_series(1, 500) as number
     ), added as (
       insert into programs select $1::uuid, 'club-' || number from generate_series(1, 4) as number returning id
     )
     insert into program_versions
     select $1::uuid, id, 1, jsonb_build_object('id', id, 'offers', offers.all), sha256('x'), now(), now(), 'ada'
     from added, offers`,
    [environmentId],
  );
  const withOffers = (count: number, scope: 'program' | 'environment'): ProgramDocument => ({
    ...document,
    audiences: [],
    offers: Array.from({ length: count }, (_, index) => ({
      id: `offer-${index}`,
      name: 'An offer',
      scope,
      match: 'all',
      conditions: [],
      effect: { kind: 'amount', amountMinor: 1 },
    })),
  });
  expect(await publish(withOffers(499, 'environment'))).toMatchObject({ published: true });
  expect(await publish(withOffers(500, 'environment'))).toMatchObject({
    code: 'validation_failed',
    message: expect.stringContaining('a cart of one line that names coffee-club would take 250005 steps'),
  });
  expect(await publish(withOffers(500, 'program'))).toMatchObject({ refused: true });
  expect(await publish({ ...document, offers: [] })).toMatchObject({ version: 2, published: true });
});

test('neither currency nor precision can change', async () => {
  await publish(document);
  expect(await publish({ ...document, currency: 'EUR' })).toMatchObject({
    refused: true,
    message: expect.stringContaining('EUR'),
  });
  expect(await publish({ ...document, loyaltyUnitPrecision: 2 })).toMatchObject({ refused: true });
  expect(await showProgram(administrator.prisma, environmentId, 'coffee-club', null)).toMatchObject({
    version: 1,
  });
});

test('twelve publications at once become versions 1 to 12', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, (_, n) => publish({ ...document, name: `Coffee ${n}` })),
  );
  const versions = outcomes.map((outcome) => ('version' in outcome ? outcome.version : 0));
  expect(versions.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
});

test('unknown environments, programs and versions are refused', async () => {
  const unknown = { environmentId: newUuid(), document, effectiveFrom: null };
  expect(await publishProgram(administrator, unknown)).toMatchObject({ refused: true });
  expect(await showProgram(administrator.prisma, environmentId, 'coffee-club', null)).toMatchObject({
    refused: true,
  });
  await publish(document);
  expect(await showProgram(administrator.prisma, environmentId, 'coffee-club', 2)).toMatchObject({
    refused: true,
  });
});

test.each([
  ['ahead', 3_600_000],
  ['behind', -3_600_000],
])('a machine whose clock is %s publishes at the time of the database', async (_how, aheadMs) => {
  const { rows: before } = await database.adminPool.query<{ now: Date }>('select clock_timestamp() as now');
  const clock = jest
    .spyOn(Date, 'now')
    .mockImplementation(() => performance.timeOrigin + performance.now() + aheadMs);
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...given: [] | [string | number | Date]) {
      if (given.length === 0) super(RealDate.now());
      else super(given[0]);
    }
  } as DateConstructor;
  try {
    await publish(document);
  } finally {
    globalThis.Date = RealDate;
    clock.mockRestore();
  }
  const { rows } = await database.adminPool.query<{ stamped: boolean }>(
    `select published_at between date_trunc('milliseconds', $2::timestamptz) and clock_timestamp()
       and effective_from = published_at as stamped
     from program_versions where environment_id = $1`,
    [environmentId, before[0]?.now],
  );
  expect(rows).toEqual([{ stamped: true }]);
});
