import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { hashSecret, issueKey, parseKey, secretMatches } from '../../src/auth/api-key.ts';
import { newUuid } from '../../src/ids.ts';

describe('issueKey and parseKey', () => {
  test.each([
    ['sandbox', 'svc_test_'],
    ['production', 'svc_live_'],
  ] as const)('a key of %s begins with %s and comes apart into what it was made from', (kind, prefix) => {
    const { keyId, key, secretHash } = issueKey(kind);
    expect(key.startsWith(prefix)).toBe(true);
    const parsed = parseKey(key);
    expect(parsed).toMatchObject({ environmentKind: kind, keyId });
    expect(
      createHash('sha256')
        .update(parsed?.secret ?? '')
        .digest(),
    ).toEqual(secretHash);
  });

  test('a rotation keeps the id and changes the secret', () => {
    const first = issueKey('sandbox');
    const second = issueKey('sandbox', first.keyId);
    expect(second.keyId).toBe(first.keyId);
    expect(second.key).not.toBe(first.key);
  });

  test('secrets are uniform over 62 characters', () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 400; i++) {
      for (const character of parseKey(issueKey('sandbox').key)?.secret ?? '') {
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
    }
    expect(counts.size).toBe(62);
    // 277 of each are expected; eight standard deviations either way.
    for (const count of counts.values()) expect(Math.abs(count - 277)).toBeLessThan(135);
  });

  const { key } = issueKey('sandbox', newUuid());
  test.each([
    ['empty', ''],
    ['another product', key.replace('svc_', 'sk_')],
    ['an unknown environment kind', key.replace('_test_', '_prod_')],
    ['cut short', key.slice(0, -1)],
    ['too long', `${key}a`],
    ['a line end behind it', `${key}\n`],
    ['an id beyond 128 bits', key.replace(/_test_./, '_test_8')],
    ['a sign in the secret', `${key.slice(0, -1)}-`],
  ])('is no key: %s', (_what, text) => {
    expect(parseKey(text)).toBeNull();
  });
});

describe('secretMatches', () => {
  const present = hashSecret('present');
  const previous = hashSecret('previous');
  const validUntil = new Date('2026-01-01T12:00:00.000Z');
  const before = new Date(validUntil.getTime() - 1);

  test.each([
    ['the present secret', 'present', before, true],
    ['the present secret after the overlap', 'present', validUntil, true],
    ['the previous secret within the overlap', 'previous', before, true],
    ['the previous secret at its end', 'previous', validUntil, false],
    ['another secret', 'other', before, false],
  ])('%s', (_what, secret, now, expected) => {
    expect(secretMatches(present, previous, validUntil, now, secret)).toBe(expected);
  });

  test('a key that was never rotated knows one secret', () => {
    expect(secretMatches(present, null, null, before, 'present')).toBe(true);
    expect(secretMatches(present, null, null, before, 'previous')).toBe(false);
  });
});
