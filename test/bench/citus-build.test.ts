import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { buildCitus } from '../../bench/citus/build.ts';

// With programs that only note that they were called, in place of a compiler and `make`.

const path = process.env.PATH;
let home: string;
let folder: (name: string) => string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'rewards-test-build-'));
  folder = (name) => join(home, name);
  for (const name of [
    'tools',
    'postgres/bin',
    'postgres/lib',
    'postgres/share',
    'server',
    'citus/src/backend/distributed',
  ]) {
    await mkdir(folder(name), { recursive: true });
  }
  await program('tools/cc', '');
  await program(
    'tools/make',
    `if [ "$1" = install ]; then touch "\${3#DESTDIR=}${folder('postgres/lib')}/citus.so"; fi`,
  );
  await program('citus/configure', `echo "$@" >> ${folder('configured')}; touch Makefile.global`);
  await writeFile(folder('citus/src/backend/distributed/a.c'), 'int a;');
  await writeFile(folder('postgres/bin/initdb'), '');
  await writeFile(folder('server/postgres.h'), '');
  await writeFile(folder('pgxs.mk'), '');
  await program(
    'postgres/bin/pg_config',
    `case $1 in
    --version) echo 'PostgreSQL 15.20 (of a test)' ;;
    --bindir) echo ${folder('postgres/bin')} ;;
    --pkglibdir) echo ${folder('postgres/lib')} ;;
    --sharedir) echo ${folder('postgres/share')} ;;
    --includedir) echo ${folder('include')} ;;
    --includedir-server) echo ${folder('server')} ;;
    --pgxs) echo ${folder('pgxs.mk')} ;;
  esac`,
  );
});

beforeEach(() => {
  process.env.PATH = `${folder('tools')}:${path}`;
});

afterAll(async () => {
  process.env.PATH = path;
  await rm(home, { recursive: true });
});

async function program(name: string, script: string): Promise<void> {
  await writeFile(folder(name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

const build = (): Promise<string> => buildCitus(folder('citus'), folder('postgres/bin'), folder('builds'));

async function timesConfigured(): Promise<number> {
  return (await readFile(folder('configured'), 'utf8')).trim().split('\n').length;
}

test('a header that is missing is named, with its Debian package', async () => {
  await program('tools/cc', 'case "$*" in *gssapi*) exit 1 ;; esac');
  await expect(build()).rejects.toThrow(
    'Citus cannot be built without gssapi/gssapi.h. On Debian: apt-get install libkrb5-dev',
  );
  await program('tools/cc', '');
});

test('headers of the Postgres that are missing are named too', async () => {
  await rm(folder('pgxs.mk'));
  await expect(build()).rejects.toThrow(/pgxs\.mk\. On Debian: apt-get install postgresql-server-dev-15$/);
  await writeFile(folder('pgxs.mk'), '');
});

test('a folder without the sources of Citus is refused', async () => {
  await expect(buildCitus(home, folder('postgres/bin'), folder('builds'))).rejects.toThrow(
    'is no checkout of Citus',
  );
});

test('builds into a copy of the Postgres once, and again when a source has changed', async () => {
  const files = await readdir(folder('citus'));
  const binaries = await build();
  expect(await readdir(binaries)).toEqual(['initdb', 'pg_config']);
  expect(await readdir(join(binaries, '../lib'))).toEqual(['citus.so']);
  expect(await readdir(folder('postgres/lib'))).toEqual([]);
  expect(await readdir(folder('citus'))).toEqual(files);
  expect(await build()).toBe(binaries);
  expect(await timesConfigured()).toBe(1);

  await writeFile(folder('citus/src/backend/distributed/a.c'), 'int another;');
  expect(await build()).not.toBe(binaries);
  expect(await timesConfigured()).toBe(2);
});

test('a build that fails tells why, and leaves nothing', async () => {
  const before = await readdir(folder('builds'));
  await writeFile(folder('citus/src/backend/distributed/a.c'), 'int wrong');
  await program('tools/make', 'if [ "$1" != --version ]; then echo "a.c:1: expected ;" >&2; exit 2; fi');
  await expect(build()).rejects.toThrow('a.c:1: expected ;');
  expect(await readdir(folder('builds'))).toEqual(before);
});
