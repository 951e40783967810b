import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGE = readFileSync(join(ROOT, 'docs/guide/webhooks.md'), 'utf8');
const RECEIVER = /^```ts\n(.*?)^```/ms.exec(PAGE)?.[1] ?? '';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rewards-receiver-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  copyFileSync(join(ROOT, 'src/contract/generated/webhook-events.ts'), join(folder, 'webhook-events.ts'));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** What the compiler says of a receiver beside the served types, in a folder with nothing else of the project. */
function compile(source: string): string {
  writeFileSync(join(folder, 'receiver.ts'), source);
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
  const command = [join(ROOT, 'node_modules/typescript/bin/tsc'), ...options, '--allowImportingTsExtensions'];
  return spawnSync(process.execPath, [...command, 'receiver.ts'], { cwd: folder, encoding: 'utf8' }).stdout;
}

test('the receiver of docs/guide/webhooks.md compiles with the types that are served', () => {
  expect(RECEIVER).toContain('WebhookMessage');
  expect(compile(RECEIVER)).toBe('');
});

test('the type of a message tells its data', () => {
  expect(compile(RECEIVER.replace('message.data.version', 'message.data.balances'))).toContain(
    `'balances' does not exist on type 'ProgramPublishedEvent'`,
  );
  expect(compile(RECEIVER.replace("'points.earned'", "'points.lost'"))).toContain('points.lost');
});
