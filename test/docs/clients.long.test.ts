import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { useDemoServer } from '../support/demo-server.ts';
import { atEnd } from '../support/fixture.ts';

const PAGE = readFileSync(new URL('../../docs/guide/clients.md', import.meta.url), 'utf8');
const LIMIT_MS = 400_000;

let folder: string;

const server = useDemoServer();

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rewards-client-'));
});

atEnd(() => rmSync(folder, { recursive: true, force: true }));

/** Runs commands of the page with the Node that the machine has, not with the one that runs the tests. */
function run(commands: string): { status: number | null; output: string } {
  const { apiKey, environmentId } = server.demo.sandbox;
  const path = (process.env.PATH ?? '').split(delimiter).filter((part) => !part.includes('node_modules'));
  const { status, stdout, stderr } = spawnSync('bash', ['-ec', commands], {
    cwd: folder,
    encoding: 'utf8',
    timeout: LIMIT_MS,
    env: {
      PATH: path.join(delimiter),
      HOME: process.env.HOME,
      BASE: server.url,
      KEY: apiKey,
      ENVIRONMENT: environmentId,
      REWARDS_URL: server.url,
      REWARDS_KEY: apiKey,
      REWARDS_ENVIRONMENT: environmentId,
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_yes: 'false',
    },
  });
  return { status, output: `${stdout}${stderr}` };
}

test(
  'the page makes a client that compiles and runs, in an empty folder',
  () => {
    const files = PAGE.matchAll(/^`([\w/.]+)`[^`\n]*:\n\n```\w+\n(.*?)^```/gms);
    for (const [, path = '', content = ''] of files) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    const [_variables, install, generate, fail] = Array.from(
      PAGE.matchAll(/^```sh\n(.*?)^```/gms),
      ([, text = '']) => text,
    );
    expect(run(install ?? '')).toMatchObject({ status: 0 });
    const made = run(generate ?? '');
    expect(made).toMatchObject({ status: 0, output: expect.stringMatching(/^12$/m) });
    const failed = run(fail ?? '');
    expect(failed.status).toBe(1);
    const [, printed = ''] = /^```text\n(.*?)^```/ms.exec(PAGE) ?? [];
    expect(withoutIds(failed.output)).toContain(withoutIds(printed));
  },
  LIMIT_MS,
);

function withoutIds(text: string): string {
  return text.replace(/req_\w+/g, 'req_');
}
