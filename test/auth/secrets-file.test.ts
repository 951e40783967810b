import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readSecretsFile } from '../../src/auth/secrets-file.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rewards-secrets-'));
});

afterEach(() => rm(folder, { recursive: true }));

test('the key is made once, of 32 bytes, for its owner alone, also where several ask at the same time', async () => {
  const dataDir = join(folder, 'data');
  const keys = await Promise.all(Array.from({ length: 5 }, () => readSecretsFile(dataDir)));
  expect(new Set([...keys, await readSecretsFile(dataDir)]).size).toBe(1);
  expect(Buffer.from(keys[0] ?? '', 'base64')).toHaveLength(32);
  expect((await stat(join(dataDir, 'secrets.key'))).mode & 0o777).toBe(0o600);
});
