import { describe, expect, test } from '@jest/globals';
import { SecretBox } from '../../../src/auth/secret-box.ts';
import type { WidgetSession } from '../../../src/auth/widget/widget-session.ts';
import { WidgetSessions } from '../../../src/auth/widget/widget-sessions.ts';
import { newUuid, toTypeId } from '../../../src/ids.ts';
import { isRefusal, type Refusal } from '../../../src/refusal.ts';
import type { WidgetDeployment } from '../../../src/widget/widget-document.ts';

const MINUTE = 60_000;
const ORIGIN = 'https://shop.example';
const keys = ['a', 'b', 'c'].map((letter) => Buffer.alloc(32, letter));
const [keyA, keyB, keyC] = keys as [Buffer, Buffer, Buffer];
const member = { memberId: newUuid(), externalCustomerId: 'ada, “the first”' };

let nowMs = 0;
const time = async (): Promise<number> => nowMs;
const sessionsOf = (...list: Buffer[]): WidgetSessions =>
  new WidgetSessions(list.length > 0 ? new SecretBox(list) : null, time);

function deployment(overrides: Partial<WidgetDeployment> = {}, origins = [ORIGIN]): WidgetDeployment {
  return {
    environmentId: newUuid(),
    deploymentId: toTypeId('wdg', newUuid()),
    version: 1,
    programId: 'coffee-club',
    document: { id: 'account', program: 'coffee-club', origins, components: [] },
    ...overrides,
  };
}

async function mint(sessions: WidgetSessions, widget: WidgetDeployment, origin = ORIGIN): Promise<string> {
  const minted = await sessions.mint(widget, { ...member, origin });
  if (isRefusal(minted)) throw new Error(minted.code);
  return minted.token;
}

const resultOf = (opened: WidgetSession | Refusal): string => (isRefusal(opened) ? opened.code : 'open');

test('a session opens for its deployment and origin, in every process with the key', async () => {
  const widget = deployment();
  const token = await mint(sessionsOf(keyA), widget);
  expect(token).toMatch(/^wst_[A-Za-z0-9_-]{200,600}$/);
  expect(Buffer.from(token.slice(4), 'base64url').toString('latin1')).not.toContain('ada');
  const opened = await sessionsOf(keyA).open(`Bearer ${token}`, ORIGIN, widget);
  expect(opened).toEqual({
    ...member,
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    environmentId: widget.environmentId,
    deploymentId: widget.deploymentId,
    origin: ORIGIN,
    expiresAt: new Date(nowMs + 15 * MINUTE),
  });
});

test('two sessions of one member are two', async () => {
  const [widget, sessions] = [deployment(), sessionsOf(keyA)];
  const opened = await Promise.all(
    [await mint(sessions, widget), await mint(sessions, widget)].map((token) =>
      sessions.open(`Bearer ${token}`, ORIGIN, widget),
    ),
  );
  expect(new Set(opened.map((session) => (isRefusal(session) ? '' : session.id))).size).toBe(2);
});

test('it ends after 15 minutes by the database’s clock, to the millisecond', async () => {
  const [widget, sessions] = [deployment(), sessionsOf(keyA)];
  nowMs = 1_000;
  const token = await mint(sessions, widget);
  nowMs += 15 * MINUTE - 1;
  expect(resultOf(await sessions.open(`Bearer ${token}`, ORIGIN, widget))).toBe('open');
  nowMs += 1;
  expect(resultOf(await sessions.open(`Bearer ${token}`, ORIGIN, widget))).toBe('unauthorized');
  nowMs = 0;
});

describe('a bad token is the same 401', () => {
  const widget = deployment();
  const sessions = sessionsOf(keyA);

  test.each<[string, (token: string) => string | undefined]>([
    ['absent', () => undefined],
    ['empty', () => ''],
    ['without a scheme', (token) => token],
    ['of another scheme', (token) => `Basic ${token}`],
    ['with two spaces', (token) => `Bearer  ${token}`],
    ['with a word behind', (token) => `Bearer ${token} more`],
    ['twice', (token) => `Bearer ${token}, Bearer ${token}`],
    ['without its prefix', (token) => `Bearer ${token.slice(4)}`],
    ['with another prefix', (token) => `Bearer svc_${token.slice(4)}`],
    ['cut short', (token) => `Bearer ${token.slice(0, -1)}`],
    ['with a character more', (token) => `Bearer ${token}A`],
    ['with padding', (token) => `Bearer ${token}=`],
    ['with its prefix in capitals', (token) => `Bearer ${token.replace('wst_', 'WST_')}`],
    ['of a salt alone', () => `Bearer wst_${Buffer.alloc(16).toString('base64url')}`],
    ['of zeros', () => `Bearer wst_${Buffer.alloc(200).toString('base64url')}`],
    ['too long', () => `Bearer wst_${'A'.repeat(8_000)}`],
    ['a server key', () => 'Bearer svc_test_0123456789'],
    ['a JWT', () => 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.'],
  ])('%s', async (_how, change) => {
    const token = await mint(sessions, widget);
    const opened = await sessions.open(change(token), ORIGIN, widget);
    expect(opened).toEqual(await sessions.open('Bearer wst_nothing', ORIGIN, widget));
    expect(resultOf(opened)).toBe('unauthorized');
  });

  test('with any one bit changed', async () => {
    const bytes = Buffer.from((await mint(sessions, widget)).slice(4), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 5) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const opened = await sessions.open(`Bearer wst_${changed.toString('base64url')}`, ORIGIN, widget);
      expect([bit, resultOf(opened)]).toEqual([bit, 'unauthorized']);
    }
  });

  test('of another deployment, also one of the same environment and origin', async () => {
    const token = await mint(sessions, widget);
    const { environmentId } = widget;
    for (const other of [deployment(), deployment({ environmentId })]) {
      expect(resultOf(await sessions.open(`Bearer ${token}`, ORIGIN, other))).toBe('unauthorized');
    }
    // A deployment cannot move to another environment; if it could, its sessions would not move along.
    const moved = { ...widget, environmentId: newUuid() };
    expect(resultOf(await sessions.open(`Bearer ${token}`, ORIGIN, moved))).toBe('unauthorized');
  });

  test('what the same key has sealed for another purpose', async () => {
    const text = JSON.stringify([
      newUuid(),
      widget.environmentId,
      member.memberId,
      member.externalCustomerId,
      ORIGIN,
      nowMs + MINUTE,
    ]);
    const sealed = new SecretBox([keyA]).seal(text, widget.deploymentId);
    const token = Buffer.concat([Buffer.alloc(16), sealed]).toString('base64url');
    expect(resultOf(await sessions.open(`Bearer wst_${token}`, ORIGIN, widget))).toBe('unauthorized');
  });
});

describe('its origin', () => {
  test.each([
    ['https://shop.example', 'open'],
    [undefined, 'origin_not_allowed'],
    ['null', 'origin_not_allowed'],
    ['', 'origin_not_allowed'],
    ['http://shop.example', 'origin_not_allowed'],
    ['https://shop.example:443', 'origin_not_allowed'],
    ['https://shop.example/', 'origin_not_allowed'],
    ['https://SHOP.example', 'origin_not_allowed'],
    ['https://shop.example.evil.example', 'origin_not_allowed'],
    ['https://other.example', 'origin_not_allowed'],
    ['https://shop.example, https://shop.example', 'origin_not_allowed'],
  ])('%s: %s', async (origin, expected) => {
    const [widget, sessions] = [deployment({}, [ORIGIN, 'https://other.example']), sessionsOf(keyA)];
    const token = await mint(sessions, widget);
    expect(resultOf(await sessions.open(`Bearer ${token}`, origin, widget))).toBe(expected);
  });

  test('has to be one of the deployment, when the session is made and when it is used', async () => {
    const [widget, sessions] = [deployment(), sessionsOf(keyA)];
    expect(await sessions.mint(widget, { ...member, origin: 'https://other.example' })).toMatchObject({
      code: 'validation_failed',
      details: [{ path: 'origin' }],
    });
    const token = await mint(sessions, widget);
    const without = { ...widget, document: { ...widget.document, origins: ['https://other.example'] } };
    expect(resultOf(await sessions.open(`Bearer ${token}`, ORIGIN, without))).toBe('origin_not_allowed');
  });
});

describe('SECRETS_KEY', () => {
  test('its first key encrypts, and all open', async () => {
    const widget = deployment();
    const token = await mint(sessionsOf(keyA, keyB), widget);
    const open = (...list: Buffer[]) => sessionsOf(...list).open(`Bearer ${token}`, ORIGIN, widget);
    expect(resultOf(await open(keyB, keyA))).toBe('open');
    expect(resultOf(await open(keyA))).toBe('open');
    expect(resultOf(await open(keyB, keyC))).toBe('unauthorized');
  });

  test('without it no session is made or opened', async () => {
    const widget = deployment();
    const token = await mint(sessionsOf(keyA), widget);
    const none = sessionsOf();
    expect(await none.mint(widget, { ...member, origin: ORIGIN })).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('SECRETS_KEY'),
    });
    expect(resultOf(await none.open(`Bearer ${token}`, ORIGIN, widget))).toBe('unauthorized');
  });
});
