import { expect, test } from '@jest/globals';
import { atEnd } from '../support/fixture.ts';
import { earn, graphql, rest } from '../support/surfaces/client.ts';
import { useShop } from '../support/surfaces/use-shop.ts';

let keys = 0;

/** The club with a campaign for members with the tag `vip` and for those on the list `spring`. */
const withGuests = (yaml: string): string =>
  yaml
    .replace(
      /^audiences:\n/m,
      `audiences:
  - id: guests
    match: any
    conditions:
      - { field: member.tags, operator: equals, value: vip }
      - { field: member.lists, operator: equals, value: spring }
`,
    )
    .replace(
      /^campaigns:\n/m,
      `campaigns:
  - { id: welcome, audiences: [guests], match: all, conditions: [], award: { bonusPoints: 7 } }
`,
    );

const { world, client, shop } = useShop({ program: withGuests, members: ['ada', 'ben', 'cyd/1%x'] });

atEnd(async () => expect(await world.eventFaults()).toEqual([]));

const put = (customer: string, tag: string, key = `k${++keys}`) =>
  client.send(
    rest(
      shop,
      'PUT',
      `/members/${encodeURIComponent(customer)}/tags/${encodeURIComponent(tag)}`,
      undefined,
      key,
    ),
  );
const untag = (customer: string, tag: string, key = `k${++keys}`) =>
  client.send(
    rest(
      shop,
      'DELETE',
      `/members/${encodeURIComponent(customer)}/tags/${encodeURIComponent(tag)}`,
      undefined,
      key,
    ),
  );
const list = (method: 'POST' | 'DELETE', name: string, externalCustomerIds: unknown, key = `k${++keys}`) =>
  client.send(rest(shop, method, `/lists/${encodeURIComponent(name)}/members`, { externalCustomerIds }, key));

async function campaignPoints(externalCustomerId: string): Promise<unknown> {
  const sourceReference = `order-${++keys}`;
  const bought = await client.send(
    earn(shop, { externalCustomerId, sourceReference, amountMinor: 1000 }, sourceReference),
  );
  return (bought.body.award as { campaignPoints: number }).campaignPoints;
}

test('a tag that is put on and taken off decides over the next purchase', async () => {
  expect(await campaignPoints('ada')).toBe(0);
  const tagged = await put('ada', 'vip', 'tag');
  expect({ status: tagged.status, body: tagged.body }).toEqual({
    status: 200,
    body: {
      requestId: expect.any(String),
      member: { id: expect.stringMatching(/^mem_/), externalCustomerId: 'ada' },
      tag: 'vip',
      tagged: true,
      changed: true,
    },
  });
  expect(await campaignPoints('ada')).toBe(7);
  expect((await put('ada', ' vip ')).body).toMatchObject({ tag: 'vip', changed: false });
  const gone = await untag('ada', 'vip');
  expect(gone).toMatchObject({ status: 200, body: { tagged: false, changed: true } });
  expect(await campaignPoints('ada')).toBe(0);
  const replay = await put('ada', 'vip', 'tag');
  expect({ status: replay.status, replayed: replay.replayed, changed: replay.body.changed }).toEqual({
    status: 200,
    replayed: true,
    changed: true,
  });
  expect(await campaignPoints('ada')).toBe(0);
});

test('ids and tags are URL-encoded parts of the path', async () => {
  expect((await put('cyd/1%x', 'été 50%/a')).body).toMatchObject({
    member: { externalCustomerId: 'cyd/1%x' },
    tag: 'été 50%/a',
  });
});

test('wrong requests change nothing', async () => {
  const before = await world.countRows();
  const path = '/members/ada/tags/vip';
  expect(await client.send(rest(shop, 'PUT', path))).toMatchObject({
    status: 400,
    code: 'idempotency_key_required',
  });
  expect(await client.send(rest(shop, 'PUT', path, { more: 1 }, 'x'))).toMatchObject({ status: 422 });
  expect(await put('nobody', 'vip')).toMatchObject({ status: 404, code: 'member_not_found' });
  expect(await put('ada', 'a\u200bb')).toMatchObject({ status: 422, code: 'validation_failed' });
  expect(await put('ada', 'x'.repeat(101))).toMatchObject({ status: 422, code: 'validation_failed' });
  const many = Array.from({ length: 1_001 }, (_, index) => `c${index}`);
  for (const wrong of [[], many, ['ada', ''], 'ada', [1], undefined]) {
    expect(await list('POST', 'spring', wrong)).toMatchObject({ status: 422, code: 'validation_failed' });
  }
  const query = 'mutation ($input: TagMemberInput!) { tagMember(input: $input) { requestId } }';
  expect(await client.send(graphql(shop, query, { input: {} }))).toMatchObject({ status: 400 });
  expect(await world.countRows()).toEqual(before);
});

test('a list takes a thousand, says who is unknown, and lets them go again', async () => {
  const asked = [
    'nobody',
    'ada',
    'ben',
    'ada',
    ...Array.from({ length: 996 }, (_, index) => `ghost-${index}`),
  ];
  const added = await list('POST', 'spring', asked, 'thousand');
  expect({ status: added.status, body: added.body }).toEqual({
    status: 200,
    body: {
      requestId: expect.any(String),
      list: 'spring',
      changed: 2,
      unchanged: 0,
      unknown: ['nobody', ...asked.slice(4)],
      full: [],
    },
  });
  const replay = await list('POST', 'spring', asked, 'thousand');
  expect(replay.replayed).toBe(true);
  expect({ ...replay.body, requestId: '' }).toEqual({ ...added.body, requestId: '' });
  expect(await campaignPoints('ben')).toBe(7);
  expect((await list('DELETE', 'spring', ['ben', 'ada', 'nobody'])).body).toMatchObject({
    changed: 2,
    unchanged: 0,
    unknown: ['nobody'],
  });
  expect(await campaignPoints('ben')).toBe(0);
  expect(await list('POST', 'spring', ['ada'], 'thousand')).toMatchObject({
    status: 409,
    code: 'idempotency_key_reused',
  });
});
