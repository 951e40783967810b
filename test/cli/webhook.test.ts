import { describe, expect, jest, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { runCli, runJson, startCli } from '../support/cli/run-cli.ts';
import { earn } from '../support/surfaces/client.ts';
import { useShop } from '../support/surfaces/use-shop.ts';
import { until } from '../support/until.ts';
import { webhookRequests } from '../support/webhooks/requests.ts';
import { useReceiver } from '../support/webhooks/use-receiver.ts';

jest.setTimeout(300_000);

const { create, patch, remove } = webhookRequests;

let keys = 0;

const receiver = useReceiver();
const { database, world, client, shop } = useShop({
  members: ['ada'],
  settings: { webhookAllowPrivate: true },
});

const newKey = (): string => `cli-${keys++}`;
const inShop = (...args: string[]) => [...args, '-e', shop.environmentId];
const run = (...args: string[]) => runCli(database.adminUrl, inShop(...args));
const json = <T>(...args: string[]) => runJson<T>(database.adminUrl, inShop(...args));

async function made(path: string, active = true, environment = shop): Promise<string> {
  const asked = { url: receiver.url + path, eventTypes: ['points.earned'] };
  const { body } = await client.send(create(environment, asked, newKey()));
  const { id } = body.endpoint as { id: string };
  if (active) await client.send(patch(environment, id, { status: 'active' }, newKey()));
  return id;
}

async function buy(count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const key = newKey();
    await client.send(
      earn(shop, { externalCustomerId: 'ada', sourceReference: key, amountMinor: 1000 }, key),
    );
  }
}

const received = (path: string) => receiver.received.filter((each) => each.path === path);

interface Overview {
  id: string;
  origin: string;
  status: string;
  waiting: number;
  givenUp: number;
  lastError: string | null;
}

async function overview(id: string): Promise<Overview | undefined> {
  const { endpoints } = await json<{ endpoints: Overview[] }>('webhook', 'list');
  return endpoints.find((each) => each.id === id);
}

/** How many audit events of this action the operator has. */
async function audited(action: string): Promise<number> {
  return world.count(
    `select count(*) from audit_events
     where environment_id = $1 and action = $2 and actor_type = 'operator' and actor_id = 'grace'`,
    [shop.id, action],
  );
}

describe('rewards webhook', () => {
  test('test sends a test and waits for what becomes of it', async () => {
    const id = await made('/tested?token=secret', false);
    const arrived = await run('webhook', 'test', id, '--actor', 'grace');
    expect(arrived).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^msg_\w{26} was delivered: 204 after \d+ ms\.\n$/),
    });
    receiver.answer = (_received, response) => response.writeHead(500).end();
    const failed = await run('webhook', 'test', id, '--actor', 'grace', '--json');
    receiver.answer = (_received, response) => response.writeHead(204).end();
    expect({ exitCode: failed.exitCode, stdout: JSON.parse(failed.stdout) }).toEqual({
      exitCode: 1,
      stdout: {
        delivery: expect.objectContaining({ status: 'failed', lastError: 'The receiver answered 500.' }),
        attempts: [expect.objectContaining({ responseStatus: 500 })],
      },
    });
    expect(await audited('webhook_endpoint.tested')).toBe(2);
    expect(await overview(id)).toMatchObject({ origin: receiver.url, waiting: 1 });
    const table = await run('webhook', 'list');
    expect(table.stdout).toMatch(new RegExp(`${id} +${receiver.url} +disabled +1 +2 +1 +0 +The receiver`));
    expect(table.stdout).not.toContain('secret');
    await client.send(remove(shop, id, newKey()));
  });

  test('retry puts one that failed, or all, in the queue again', async () => {
    const id = await made('/failing');
    receiver.answer = ({ path }, response) => response.writeHead(path === '/failing' ? 500 : 204).end();
    await buy(4);
    await until(
      async () =>
        (await world.count(
          `select count(*) from webhook_deliveries where environment_id = $1 and status = 'failed'`,
          [shop.id],
        )) === 4,
      'all have failed',
    );
    // Those that are not given up wait for long: a busy machine may take longer than until their next attempt.
    await database.adminPool.query(
      `update webhook_deliveries set status = case when sequence <= 2 then 'dead_letter' else status end,
         next_attempt_at = case when sequence > 2 then next_attempt_at + interval '1 day' end
       where environment_id = $1 and status = 'failed'`,
      [shop.id],
    );
    expect(await overview(id)).toMatchObject({
      waiting: 2,
      givenUp: 2,
      lastError: 'The receiver answered 500.',
    });
    receiver.answer = (_received, response) => response.writeHead(204).end();
    const listed = await client.send(webhookRequests.deliveries(shop, '?status=dead_letter&limit=1'));
    const [{ id: one }] = listed.body.data as unknown as [{ id: string }];
    expect(await run('webhook', 'retry', one, '--actor', 'grace')).toMatchObject({
      exitCode: 0,
      stdout: `${one} is in the queue again.\n`,
    });
    expect(await audited('webhook_delivery.retried')).toBe(1);
    const all = await json('webhook', 'retry', '--all-failed', '--endpoint', id, '--actor', 'grace');
    expect(all).toEqual({ retried: 3, left: {}, interrupted: false });
    expect(await audited('webhook_delivery.retried')).toBe(4);
    await until(async () => (await overview(id))?.waiting === 0, 'delivered');
    expect((await run('webhook', 'retry', '--all-failed', '--endpoint', id)).stdout).toBe(
      'No delivery has failed.\n',
    );
    const delivered = await run('webhook', 'retry', one);
    expect(delivered).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('nothing to retry') });
    await client.send(remove(shop, id, newKey()));
  });

  test('replay sends what came after a sequence again, and waits until it is in the queue', async () => {
    const id = await made('/replayed');
    await buy(5);
    await until(() => received('/replayed').length === 5, 'five');
    const done = await run('webhook', 'replay', id, '--since', '3', '--actor', 'grace');
    expect(done).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^op_\w{26}: 2 deliveries are in the queue again\.\n$/),
    });
    await until(() => received('/replayed').length === 7, 'two again');
    expect(await audited('webhook_endpoint.replayed')).toBe(1);
    await client.send(patch(shop, id, { status: 'disabled' }, newKey()));
    const refused = await run('webhook', 'replay', id, '--since', '0');
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is disabled') });
    await client.send(remove(shop, id, newKey()));
  });

  test.each<[number, string, string[]]>([
    [2, 'whole id', ['webhook', 'test', 'we_1']],
    [2, 'Name one delivery', ['webhook', 'retry']],
    [2, 'Name one delivery', ['webhook', 'retry', 'msg_01h455vb4pex5vsknk084sn02q', '--all-failed']],
    [
      2,
      'goes with --all-failed',
      ['webhook', 'retry', 'msg_01h455vb4pex5vsknk084sn02q', '--endpoint', 'we_01h455vb4pex5vsknk084sn02q'],
    ],
    [2, '--since', ['webhook', 'replay', 'we_01h455vb4pex5vsknk084sn02q']],
    [2, '0 or a positive integer', ['webhook', 'replay', 'we_01h455vb4pex5vsknk084sn02q', '--since', '1.5']],
    [1, 'no webhook endpoint', ['webhook', 'replay', 'we_01h455vb4pex5vsknk084sn02q', '--since', '1']],
    [1, 'no webhook endpoint', ['webhook', 'test', 'we_01h455vb4pex5vsknk084sn02q']],
    [1, 'no webhook delivery', ['webhook', 'retry', 'msg_01h455vb4pex5vsknk084sn02q']],
    [2, 'must be one of', ['listen', '--types', 'points.lost']],
    [2, 'http or https', ['listen', '--forward-to', 'ftp://127.0.0.1']],
    [2, 'whsec_', ['listen', '--secret', 'secret']],
  ])('%i %s: %j', async (exitCode, message, args) => {
    const before = await world.countRows();
    const refused = await run(...args);
    expect(refused).toMatchObject({ exitCode, stdout: '' });
    expect(refused.stderr).toContain(message);
    expect(await world.countRows()).toEqual(before);
  });
});

describe('rewards listen', () => {
  test('prints what happens, forwards it signed, and ends at Ctrl-C', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const { process: child, ended } = startCli(
      database.adminUrl,
      inShop(
        ...['listen', '--json', '--types', 'points.earned', '--secret', secret],
        ...['--forward-to', `${receiver.url}/forwarded`],
      ),
    );
    let output = '';
    child.stdout.on('data', (text: string) => {
      output += text;
    });
    await heard(child, /^Listening to env_/);
    await buy(2);
    await until(() => output.split('\n').length === 3, 'two lines');
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ exitCode: 0 });
    const lines = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { type: 'points.earned', forwarded: { delivered: true, responseStatus: 204, error: null } },
      { type: 'points.earned', forwarded: { delivered: true, responseStatus: 204, error: null } },
    ]);
    const forwarded = received('/forwarded');
    expect(forwarded.map(({ message }) => message.sequence)).toEqual([1, 2]);
    for (const [index, { headers, body, message }] of forwarded.entries()) {
      expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
      const { type, timestamp, environmentId, epoch, data } = lines[index];
      expect(message).toEqual({ type, timestamp, environmentId, epoch, sequence: index + 1, data });
    }
  });

  test('prints one line for each event, and why a receiver did not take it', async () => {
    const { process: child, ended } = startCli(
      database.adminUrl,
      inShop('listen', '--forward-to', 'http://127.0.0.1:1/'),
    );
    let output = '';
    child.stdout.on('data', (text: string) => {
      output += text;
    });
    await heard(child, /signed with whsec_/);
    await buy(1);
    await until(() => output.endsWith('\n'), 'a line');
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ exitCode: 0 });
    expect(output).toMatch(
      /^\S+Z points\.earned whe_\w{26} \{"memberId".*\} -> The connection was refused\. \(\d+ ms\)\n$/,
    );
  });

  test('does not forward Production', async () => {
    const production = await world.environment('production');
    const refused = await runCli(database.adminUrl, [
      ...['listen', '-e', production.environmentId, '--forward-to', receiver.url],
    ]);
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('for Sandbox') });
  });
});

function heard(child: ReturnType<typeof startCli>['process'], pattern: RegExp): Promise<void> {
  let said = '';
  return new Promise((resolve, reject) => {
    child.stderr.on('data', (text: string) => {
      said += text;
      if (pattern.test(said)) resolve();
    });
    child.on('close', () => reject(new Error(`it ended: ${said}`)));
  });
}
