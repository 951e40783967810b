import { randomInt } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { createEnvironment } from '../../../src/admin/environments/create-environment.ts';
import { toTypeId } from '../../../src/ids.ts';
import { createLanePool } from '../../../src/ledger/batch/lane-pool.ts';
import { Writer } from '../../../src/ledger/batch/writer.ts';
import { ProgramCatalog } from '../../../src/programs/published/program-catalog.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { atEnd, fixture } from '../../support/fixture.ts';
import { SandboxYear, type Standing } from '../../support/simulator/sandbox-year.ts';
import { readMember, rest } from '../../support/surfaces/client.ts';
import { useServer } from '../../support/surfaces/use-shop.ts';
import type { TestEnvironment } from '../../support/surfaces/world.ts';

const SEED = Number(process.env.SIMULATION_SEED ?? randomInt(2 ** 32 - 1));
const DAY_MS = 86_400_000;
const PROGRAMS = ['coffee', 'tea', 'water'];
const WEEKS = 53;

let writer: Writer;
let closeWriter: () => Promise<void>;

const { database, world, client } = useServer();
const shop = fixture('the shop', () => emptySandbox());

beforeAll(async () => {
  const pool = createLanePool({ url: database.serverUrl, role: 'rewards_app', size: 2 });
  writer = new Writer({ pool, catalog: new ProgramCatalog() });
  closeWriter = async () => {
    await writer.close();
    await pool.end();
  };
});

atEnd(() => closeWriter());

/** A Sandbox without programs. */
async function emptySandbox(): Promise<TestEnvironment> {
  const tenantId = await world.tenant();
  const made = await createEnvironment(world.administrator, { tenantId, kind: 'sandbox', name: 'Year' });
  if (isRefusal(made)) throw new Error(made.message);
  const { environmentId: id } = made;
  return { id, environmentId: toTypeId('env', id), tenantId, ...(await world.key(id)) };
}

/** Sets the clock of the Sandbox, where it stands; the answer comes when all that is due is done. */
async function setClock(at: Date): Promise<{ closedThrough: string }> {
  const body = { action: 'set', at: at.toISOString() };
  const answer = await client.send(rest(shop, 'POST', '/sandbox/clock', body, at.toISOString()));
  expect(answer).toMatchObject({ status: 200, body: { clock: { state: 'stands' }, swept: { failed: 0 } } });
  return answer.body.swept as { closedThrough: string };
}

/** What the service shows of a member, by program. */
async function shown(customer: string): Promise<Record<string, Standing>> {
  const { body } = await client.send(readMember(shop, customer));
  const programs = (body.programs ?? []) as {
    programId: string;
    tier: string;
    balances: Omit<Standing, 'tier'>[];
  }[];
  return Object.fromEntries(
    programs.map(({ programId, tier, balances: [own] }) => {
      const { available = 0, pending = 0, reserved = 0 } = own ?? {};
      return [programId, { tier, available, pending, reserved }];
    }),
  );
}

test(`a year in a Sandbox, week by week, ends as it does in the simulator (SIMULATION_SEED=${SEED})`, async () => {
  const year = new SandboxYear(SEED, database, shop, writer);
  const start = (Math.floor(Date.now() / DAY_MS) + 2) * DAY_MS + 9 * 3_600_000;
  await setClock(new Date(start));
  await year.begin(new Date(start));
  for (let week = 0; week <= WEEKS; week++) {
    const now = new Date(start + week * 7 * DAY_MS + (week % 7) * 3_600_001);
    const { closedThrough } = await setClock(now);
    expect(closedThrough).toBe(new Date(now.getTime() - DAY_MS).toISOString().slice(0, 10));
    year.sweep(now);
    for (const customer of year.customers) {
      const expected = PROGRAMS.flatMap((programId) => {
        const standing = year.standing(programId, customer);
        return standing ? [[programId, standing] as const] : [];
      });
      expect([week, customer, await shown(customer)]).toEqual([week, customer, Object.fromEntries(expected)]);
    }
    await year.run(8, now);
  }
  expect(await world.failedControls()).toEqual([]);
  for (const programId of PROGRAMS) {
    const to = new Date(start + WEEKS * 7 * DAY_MS).toISOString().slice(0, 8);
    const period = new URLSearchParams({ programId, to: `${to}01T00:00:00Z` });
    const close = await client.send(rest(shop, 'GET', `/reports/ledger-close?${period}`));
    expect(close).toMatchObject({ status: 200, body: {} });
  }
  const kinds = await database.adminPool.query<{ kinds: string[] }>(
    'select array_agg(distinct event_type) as kinds from transactions where environment_id = $1',
    [shop.id],
  );
  expect(kinds.rows[0]?.kinds).toEqual(expect.arrayContaining(['purchase.completed', 'points.expired']));
}, 600_000);
