import { execFileSync } from 'node:child_process';
import { constants } from 'node:fs';
import { lstat, mkdir, mkdtemp, open, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunningServer } from '../../src/server/process/http-server.ts';
import { type CliRun, runCli } from '../support/cli/run-cli.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startTestServer } from '../support/server.ts';
import { addMembers, Client, earn } from '../support/surfaces/client.ts';
import { createWorld, programId, type TestEnvironment } from '../support/surfaces/world.ts';

const PERIOD = ['--from', '2026-01-01', '--to', '2100-01-01'];

let database: TestDatabase;
let server: RunningServer;
let client: Client;
let shop: TestEnvironment;
let root: string;
/** Where others may write too. */
let folder: string;
/** What somebody who can write into the folder would like to have overwritten. */
let precious: string;

beforeAll(async () => {
  database = await createTestDatabase();
  shop = await createWorld(database).environment();
  server = await startTestServer(database);
  client = new Client(server.url);
  root = await mkdtemp(join(tmpdir(), 'rewards-links-'));
  await addMembers(client, shop, ['ada']);
  const order = { externalCustomerId: 'ada', sourceReference: 'o-1', amountMinor: 1_000 };
  expect((await client.send(earn(shop, order, 'k-1'))).status).toBe(201);
  const listed = await runCli(database.adminUrl, ['list', 'add', 'spring', 'ada', '-e', shop.environmentId]);
  expect(listed.exitCode).toBe(0);
});

afterAll(async () => {
  client.close();
  await server.close();
  await database.drop();
  await rm(root, { recursive: true, force: true });
});

beforeEach(async () => {
  folder = await mkdtemp(join(root, 'shared-'));
  precious = join(folder, 'precious');
  await writeFile(precious, 'precious');
});

const run = (...args: string[]): Promise<CliRun> =>
  runCli(database.adminUrl, [...args, '-e', shop.environmentId]);

async function expectUntouched(): Promise<void> {
  expect(await readFile(precious, 'utf8')).toBe('precious');
}

async function expectFile(path: string): Promise<void> {
  expect((await lstat(path)).isFile()).toBe(true);
}

describe('a symbolic link where an export writes is replaced, and its target is not written', () => {
  test('in a folder', async () => {
    const out = join(folder, 'postings');
    await mkdir(out);
    const day = new Date().toISOString().slice(0, 10);
    const names = [`postings-${day}.csv`, 'manifest.json'];
    for (const name of names) await symlink(precious, join(out, `${name}.part`));
    await symlink(precious, join(out, 'manifest.progress.jsonl'));
    expect(await run('export', 'postings', ...PERIOD, '--out', out)).toMatchObject({ exitCode: 0 });
    await expectUntouched();
    expect((await readdir(out)).toSorted()).toEqual(names.toSorted());
    for (const name of names) await expectFile(join(out, name));
  });

  test('as one file, also where its own name is a link to nothing', async () => {
    const out = join(folder, 'members.jsonl');
    const nothing = join(folder, 'nothing');
    await symlink(nothing, out);
    await symlink(precious, `${out}.part`);
    await symlink(precious, `${out}.manifest.json.part`);
    const exported = await run('export', 'members', ...PERIOD, '--format', 'jsonl', '--out', out);
    expect(exported).toMatchObject({ exitCode: 0 });
    await expectUntouched();
    await expectFile(out);
    await expectFile(`${out}.manifest.json`);
    expect(await readdir(folder)).not.toContain('nothing');
  });

  test('of one member', async () => {
    const out = join(folder, 'ada.json');
    await symlink(precious, out);
    await symlink(precious, `${out}.part`);
    expect(await run('member', 'export', 'ada', '--out', out)).toMatchObject({ exitCode: 0 });
    await expectUntouched();
    await expectFile(out);
    expect((await lstat(out)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(out, 'utf8'))).toMatchObject({ memberId: expect.any(String) });
  });
});

test('what a killed export left behind does not stop the next one, and nothing longer of it remains', async () => {
  const out = join(folder, 'ada.json');
  await writeFile(`${out}.part`, 'x'.repeat(1_000_000), { mode: 0o644 });
  expect(await run('member', 'export', 'ada', '--out', out)).toMatchObject({ exitCode: 0 });
  expect((await readFile(out, 'utf8')).trimEnd().at(-1)).toBe('}');
  expect((await lstat(out)).mode & 0o777).toBe(0o600);
});

describe('what is no file stays as it is', () => {
  test.each(['with', 'without'])('a pipe %s a reader, by list show --file', async (reader) => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reading = reader === 'with' ? await open(pipe, constants.O_RDONLY | constants.O_NONBLOCK) : null;
    const shown = await run('list', 'show', 'spring', '--file', pipe);
    expect(shown).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('--file cannot be written') });
    expect(reading && (await reading.read(Buffer.alloc(8))).bytesRead).toBe(reading && 0);
    await reading?.close();
    expect((await lstat(pipe)).isFIFO()).toBe(true);
  });

  test('a pipe, a folder, and links like /dev/stdout, by member export', async () => {
    const [pipe, out, inner] = ['pipe', 'stdout', 'inner'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    execFileSync('mkfifo', [pipe]);
    await symlink('/proc/self/fd/1', out);
    await mkdir(inner);
    for (const path of [pipe, out, inner]) {
      const { exitCode, stderr } = await run('member', 'export', 'ada', '--out', path);
      expect({ exitCode, stderr }).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('is no file'),
      });
    }
    expect((await lstat(pipe)).isFIFO()).toBe(true);
    expect((await lstat(out)).isSymbolicLink()).toBe(true);
    expect((await readdir(folder)).toSorted()).toEqual(['inner', 'pipe', 'precious', 'stdout']);
  });
});

describe('a symbolic link is refused', () => {
  const refused = (option: string, path: string) => ({
    exitCode: 1,
    stderr: expect.stringContaining(
      `${option} cannot be written: ${path} is a symbolic link. Name the file that it points to.`,
    ),
  });

  test('by list show --file', async () => {
    const link = join(folder, 'link');
    await symlink(precious, link);
    expect(await run('list', 'show', 'spring', '--file', link)).toMatchObject(refused('--file', link));
    await expectUntouched();
    const plain = join(folder, 'spring.txt');
    await writeFile(plain, 'x'.repeat(1_000));
    expect(await run('list', 'show', 'spring', '--file', plain)).toMatchObject({ exitCode: 0 });
    expect(await readFile(plain, 'utf8')).toBe('ada\n');
  });

  test('by close --out', async () => {
    const link = join(folder, 'link');
    await symlink(precious, link);
    const close = (out: string) => run('close', '-p', programId, '--out', out);
    expect(await close(link)).toMatchObject(refused('--out', link));
    await expectUntouched();
    const plain = join(folder, 'close.json');
    expect(await close(plain)).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(await readFile(plain, 'utf8'))).toMatchObject({ programId });
  });

  test('by program simulate --html', async () => {
    const link = join(folder, 'link');
    await symlink(precious, link);
    const draft = join(folder, 'draft.yaml');
    const made = await runCli(database.adminUrl, ['program', 'new', draft, '-p', programId]);
    expect(made).toMatchObject({ exitCode: 0 });
    const simulate = (html: string) => run('program', 'simulate', draft, '--html', html);
    expect(await simulate(link)).toMatchObject(refused('--html', link));
    await expectUntouched();
    const plain = join(folder, 'page.html');
    expect(await simulate(plain)).toMatchObject({ exitCode: 0 });
    expect(await readFile(plain, 'utf8')).toMatch(/^<!doctype html>/i);
  });

  test('by program new and coupon generate', async () => {
    const link = join(folder, 'link');
    await symlink(join(folder, 'nothing'), link);
    await symlink(join(folder, 'nothing'), join(folder, 'codes.txt.part'));
    const made = await runCli(database.adminUrl, ['program', 'new', link, '-p', programId]);
    expect(made).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is there already') });
    const codes = ['-p', programId, '--pool', 'SUMMER', '--count', '5', '--pattern', 'SUMMER-########'];
    expect(await run('coupon', 'generate', ...codes, '--file', join(folder, 'codes.txt'))).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('codes.txt.part cannot be written'),
    });
    expect(await readdir(folder)).not.toContain('nothing');
  });
});
