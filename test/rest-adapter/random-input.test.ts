import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { enrollment, newMember, payloads, purchase, unenrollment } from '../support/rest-adapter/requests.ts';
import { type Sent, useAdapter } from '../support/rest-adapter/serve-adapter.ts';

const served = useAdapter();

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    ' ',
    'a\0b',
    '\ud800',
    -1,
    0.5,
    2 ** 53,
    1e300,
    [],
    {},
    [[]],
    'x'.repeat(300),
  ),
  fc.constantFrom('9007199254740993', '1e400', '{"__proto__":1}', '{"a":1,"a":2}', '-', '01').map(raw),
  fc.jsonValue({ maxDepth: 3 }),
);

/** A value whose text JSON.stringify would write differently. */
function raw(text: string): object {
  return { toJSON: () => `RAW${text}` };
}

const stringify = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/"RAW((?:[^"\\]|\\.)*)"/g, (_match, text: string) =>
    JSON.parse(`"${text}"`),
  );

/** A valid body with up to three members changed or added, as text; sometimes cut in half. */
function bodiesLike(base: Record<string, unknown>): fc.Arbitrary<Buffer> {
  const names = Object.keys({
    ...base,
    items: 0,
    context: 0,
    occurredAt: 0,
    couponCode: 0,
    email: 0,
    other: 0,
  });
  const texts = fc
    .array(fc.tuple(fc.constantFrom(...names), odd), { maxLength: 3 })
    .map((changes) => stringify({ ...base, ...Object.fromEntries(changes) }));
  return fc.oneof(
    { weight: 8, arbitrary: texts.map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: texts.map((text) => Buffer.from(text.slice(0, text.length / 2))) },
    { weight: 1, arbitrary: fc.uint8Array().map((bytes) => Buffer.from(bytes)) },
  );
}

const segments = fc.oneof(
  fc.constantFrom('c', '%00', '%zz', '%E2%82', '%2F', '..%2f', '%20', '%F0%9F%98%80', 'x'.repeat(300)),
  fc
    .string()
    .map(encodeURIComponent)
    .filter((segment) => !/^\.{0,2}$/.test(segment)),
);

const headers = fc.record({
  'content-type': fc.constantFrom(
    'application/json',
    'application/json',
    'application/json',
    'text/plain',
    '',
  ),
  'idempotency-key': fc.constantFrom('k', 'k', 'k', '', '"', '"k"', 'a b'),
  'x-request-id': fc.constantFrom('r', '', 'r r', 'r'.repeat(200)),
});

const anywhere = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH'),
  path: fc.oneof(
    fc.constantFrom('/events', '/members', '/events?x=%zz', '/', '/%'),
    segments.map((segment) => `/members/${segment}`),
    fc.tuple(segments, segments).map(([member, program]) => `/members/${member}/programs/${program}`),
  ),
  headers,
  body: bodiesLike({}),
});

const targeted = fc
  .constantFrom<[string, string, Record<string, unknown>]>(
    ['POST', '/events', purchase],
    ['POST', '/members', newMember],
    ['PUT', '/members/c/programs/p', enrollment],
    ['DELETE', '/members/c/programs/p', unenrollment],
  )
  .chain(([method, path, base]) =>
    fc.record({ method: fc.constant(method), path: fc.constant(path), headers, body: bodiesLike(base) }),
  );

const requests: fc.Arbitrary<Sent> = fc.oneof(anywhere, { weight: 2, arbitrary: targeted });

test('no request breaks the adapter, and only an accepted one reaches an operation', async () => {
  const seen = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      served.reset();
      for (const [name, payload] of Object.entries(payloads)) served.resolvers[name] = () => payload;
      const answer = await served.send(request);
      seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
      expect(answer.status).toBeLessThan(500);
      expect(served.reported).toEqual([]);
      expect(served.calls).toHaveLength(answer.status < 300 ? 1 : 0);
      if (answer.status >= 300) {
        expect(answer.body.error).toMatchObject({
          code: expect.any(String),
          message: expect.any(String),
          requestId: answer.headers['x-request-id'],
        });
      }
    }),
    { numRuns: 1500 },
  );
  // The generator reaches every case that it is meant to reach.
  expect([...seen.keys()]).toEqual(expect.arrayContaining([200, 201, 400, 404, 405, 415, 422]));
});
