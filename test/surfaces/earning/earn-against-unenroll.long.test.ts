import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RunningServer } from '../../../src/server/process/http-server.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { repetitions } from '../../support/repetitions.ts';
import { databaseSettings, type ServerProcess, spawnServer, startTestServer } from '../../support/server.ts';
import { addMembers, Client, earn, enroll, type Received, unenroll } from '../../support/surfaces/client.ts';
import { createWorld, type TestEnvironment, type World } from '../../support/surfaces/world.ts';

const RACES = repetitions({ many: 1_000, most: 10_000 });
const AT_ONCE = 25;
const MEMBERS = 100;

let database: TestDatabase;
let world: World;
let here: RunningServer;
let there: ServerProcess;
let shop: TestEnvironment;
/** Two processes: within one process the commands of one member never overlap. */
let clients: [Client, Client];

beforeAll(async () => {
  database = await createTestDatabase();
  world = createWorld(database);
  shop = await world.environment();
  here = await startTestServer(database);
  there = await spawnServer(databaseSettings(database));
  clients = [new Client(here.url), new Client(there.url)];
});

afterAll(async () => {
  for (const client of clients) client.close();
  await here.close();
  await there.end('SIGTERM');
  await database.drop();
});

test(`${RACES} races: one of the two wins, and the other is refused for it`, async () => {
  const wins = { earn: 0, unenroll: 0 };
  for (let race = 0; race < RACES; race += AT_ONCE) {
    const ids = Array.from({ length: AT_ONCE }, (_, index) => `c-${race + index}`);
    await addMembers(clients[0], shop, ids);
    const winners = await Promise.all(ids.map((id, index) => runRace(id, race + index)));
    for (const winner of winners) wins[winner] += 1;
    // Checked during the race too: at the end a profile could be enrolled again.
    expect(await unenrolledWithPoints()).toBe(0);
  }
  // Both must win sometimes: otherwise it was no race.
  expect(wins.earn).toBeGreaterThan(RACES / 20);
  expect(wins.unenroll).toBeGreaterThan(RACES / 20);
  expect(await world.count('select count(*) from program_profiles where enrolled')).toBe(wins.earn);
  expect(await world.count('select count(*) from transactions')).toBe(wins.earn);
  expect(await world.failedControls()).toEqual([]);
});

test('many earns against many unenrollments and enrollments of the same members: nobody leaves with points', async () => {
  const ids = Array.from({ length: MEMBERS }, (_, index) => `m-${index}`);
  await addMembers(clients[0], shop, ids);
  const answers = await Promise.all(
    ids.flatMap((id, index) =>
      [0, 1, 2].flatMap((round) => [
        clients[(index + round) % 2 ? 1 : 0].send(unenroll(shop, id, `u-${id}-${round}`)),
        clients[(index + round) % 2 ? 0 : 1].send(
          earn(
            shop,
            { externalCustomerId: id, sourceReference: `${id}-${round}`, amountMinor: 100 },
            `e-${id}-${round}`,
          ),
        ),
        clients[round % 2 ? 1 : 0].send(enroll(shop, id, `n-${id}-${round}`)),
      ]),
    ),
  );
  const allowed = new Set(['200 null', '201 null', '409 balance_not_zero', '409 enrollment_required']);
  expect(answers.map(outcome).filter((each) => !allowed.has(each))).toEqual([]);
  expect(await unenrolledWithPoints()).toBe(0);
  expect(await world.failedControls()).toEqual([]);
});

async function runRace(id: string, index: number): Promise<'earn' | 'unenroll'> {
  const [first, second] = index % 2 ? clients : clients.toReversed();
  const purchase = { externalCustomerId: id, sourceReference: `order-${id}`, amountMinor: 100 };
  const sends = [
    () => first?.send(earn(shop, purchase, `earn-${id}`)),
    () => second?.send(unenroll(shop, id)),
  ];
  // The order of sending alternates; the order of arrival depends on the machine.
  const reversed = index % 4 > 1;
  const answers = await Promise.all((reversed ? sends.toReversed() : sends).map((send) => send()));
  const [earned, left] = reversed ? answers.toReversed() : answers;
  const pair = `${outcome(earned)}, ${outcome(left)}`;
  if (pair === '201 null, 409 balance_not_zero') return 'earn';
  expect(pair).toBe('409 enrollment_required, 200 null');
  return 'unenroll';
}

function outcome(answer: Received | undefined): string {
  return `${answer?.status} ${answer?.code}`;
}

/** Computed from the profiles and, independently of balances, from the postings. */
async function unenrolledWithPoints(): Promise<number> {
  return world.count(
    `select count(*) from program_profiles p where not p.enrolled and (
       p.available + p.pending + p.reserved <> 0 or 0 <> (
         select coalesce(sum(case when starts_with(t.credit_account, 'member.') then t.amount else 0 end
           - case when starts_with(t.debit_account, 'member.') then t.amount else 0 end), 0)
         from postings t
         where (t.environment_id, t.member_id, t.program_id) = (p.environment_id, p.member_id, p.program_id)))`,
  );
}
