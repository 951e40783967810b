import { beforeAll, describe, expect, test } from '@jest/globals';
import { fromTypeId } from '../../../src/ids.ts';
import type { Surface } from '../../../src/widget/surface.ts';
import type { Received } from '../../support/surfaces/client.ts';
import { useShop } from '../../support/surfaces/use-shop.ts';
import { addTestWidget, WIDGET_ORIGIN } from '../../support/surfaces/widgets.ts';

let deploymentId: string;

const { database, world, client, shop } = useShop();

beforeAll(async () => {
  deploymentId = await addTestWidget(world, shop.id);
});

const pathOf = (id: string): string => `/api/v1/widgets/${id}/surface`;

function read(headers: Record<string, string> = {}, path = pathOf(deploymentId)): Promise<Received> {
  return client.send({ method: 'GET', path, headers });
}

const surfaceOf = ({ text }: Received): Surface => JSON.parse(text) as Surface;

describe('GET surface, with nobody signed in', () => {
  test('is the projection itself, with sign-in states, and nothing to redeem', async () => {
    const answer = await read();
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=5',
      vary: 'Origin, Authorization',
      'x-request-id': expect.stringMatching(/^req_/),
      'x-content-type-options': 'nosniff',
    });
    const { surface, context, components, actions } = surfaceOf(answer);
    expect({ id: surface.id, personalized: context.personalized, actions }).toEqual({
      id: `${deploymentId}:1`,
      personalized: false,
      actions: [],
    });
    expect(context.program).toMatchObject({ id: 'coffee-club', name: 'Coffee Club', locale: 'en-US' });
    const [balance, tier, rewards, activity] = components;
    expect(balance).toMatchObject({ state: { availability: 'sign_in_required' } });
    expect(tier).toMatchObject({ state: { availability: 'sign_in_required' } });
    expect(activity).toMatchObject({ items: [] });
    if (rewards?.kind !== 'svc.reward_catalog') throw new Error('the third component is no catalog');
    expect(rewards.items.length).toBeGreaterThan(0);
    for (const item of rewards.items) {
      expect(item).toMatchObject({
        redeemable: false,
        eligible: false,
        eligibilityReason: 'sign_in_required',
        pointsNeeded: null,
        actions: [],
      });
    }
  });

  test('has a strong entity tag, and is 304 for who has it', async () => {
    const etag = String((await read()).headers.etag);
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    for (const header of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
      const { status, text, headers } = await read({ 'if-none-match': header });
      expect({ status, text, etag: headers.etag }).toEqual({ status: 304, text: '', etag });
    }
    expect((await read({ 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('shows the newest version at once', async () => {
    const id = await addTestWidget(world, shop.id, { id: 'changing' });
    const before = await read({}, pathOf(id));
    expect(surfaceOf(before).surface.id).toBe(`${id}:1`);
    const again = await addTestWidget(world, shop.id, { id: 'changing', locale: 'de' });
    expect(again).toBe(id);
    const after = await untilChanged(id, String(before.headers.etag));
    expect(surfaceOf(after)).toMatchObject({
      surface: { id: `${id}:2` },
      context: { deployment: { id, version: 2 }, program: { locale: 'de' } },
    });
  });

  test('shows a publication of the program', async () => {
    const before = await read();
    await world.publish(shop.id, (yaml) => yaml.replace('name: Coffee Club', 'name: Bean Club'));
    const after = await untilChanged(deploymentId, String(before.headers.etag));
    expect(surfaceOf(after).context.program.name).toBe('Bean Club');
  });

  async function untilChanged(id: string, etag: string): Promise<Received> {
    for (let tries = 0; tries < 600; tries++) {
      const answer = await read({ 'if-none-match': etag }, pathOf(id));
      if (answer.status === 200) return answer;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error('the surface did not change within a minute');
  }
});

describe('refusals', () => {
  test.each([
    ['wdg_01h455vb4pex5vsknk084sn02q'],
    ['wdg_zzzzzzzzzzzzzzzzzzzzzzzzzz'],
    ['env_01h455vb4pex5vsknk084sn02q'],
    ['x'],
    ['%00'],
  ])('%s is no deployment', async (id) => {
    const answer = await read({}, pathOf(id));
    expect(answer).toMatchObject({ status: 404, code: 'deployment_not_found' });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test.each(['externalCustomerId=ada', 'memberId=x', 'x', 'programId=coffee-club'])(
    'a query is refused: %s',
    async (query) => {
      const answer = await read({}, `${pathOf(deploymentId)}?${query}`);
      expect(answer).toMatchObject({ status: 422, code: 'validation_failed' });
      expect(answer.body.error?.details?.[0]?.path).toBe(query.split('=')[0]);
    },
  );

  test.each(['Bearer forged', 'bearer ', 'Basic YTpi', 'forged', ''])(
    'a bad session is 401, never the anonymous surface: %s',
    async (authorization) => {
      const answer = await read({ authorization, origin: WIDGET_ORIGIN });
      expect(answer).toMatchObject({ status: 401, code: 'unauthorized' });
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    },
  );

  test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('%s is not allowed', async (method) => {
    const answer = await client.send({ method, path: pathOf(deploymentId), body: '{}' });
    expect({ status: answer.status, code: answer.code, allow: answer.headers.allow }).toEqual({
      status: 405,
      code: 'method_not_allowed',
      allow: 'GET, HEAD',
    });
  });

  test('other paths are those of the REST API', async () => {
    for (const [path, status] of [
      [`${pathOf(deploymentId)}/`, 404],
      [`/api/v1/widgets/${deploymentId}`, 401],
      ['/api/v1/widgets', 401],
    ] as const) {
      expect([path, (await read({}, path)).status]).toEqual([path, status]);
    }
  });

  test('a surface that is not valid by its schema is not sent', async () => {
    const id = await addTestWidget(world, shop.id, { id: 'broken' });
    const components = [{ id: 'x'.repeat(201), kind: 'svc.balance', label: 'a label' }];
    await database.adminPool.query(
      `update widget_deployment_versions set document = $2 where deployment_id = $1`,
      [
        fromTypeId('wdg', id),
        JSON.stringify({ id: 'broken', program: 'coffee-club', origins: [], components }),
      ],
    );
    const answer = await read({}, pathOf(id));
    expect({ status: answer.status, code: answer.code, message: answer.body.error?.message }).toEqual({
      status: 500,
      code: 'internal_error',
      message: 'Internal error',
    });
    expect(answer.text).not.toContain('a label');
  });

  test('HEAD has the headers alone', async () => {
    const answer = await client.send({ method: 'HEAD', path: pathOf(deploymentId) });
    expect(answer).toMatchObject({ status: 200, text: '' });
    expect(Number(answer.headers['content-length'])).toBeGreaterThan(100);
  });
});
