import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { COMPILE_CACHE } from '../support/compile-cache.ts';
import { useDemoServer } from '../support/demo-server.ts';
import { blocksOf, ROOT } from '../support/docs/pages.ts';

/** The pages whose examples follow each other, in the order in which the README names them. */
const PAGES = [
  'README.md',
  'docs/guide/rest.md',
  'docs/guide/graphql.md',
  'docs/guide/returns.md',
  'docs/guide/engagement.md',
  'docs/guide/adjustments.md',
  'docs/guide/redemptions.md',
  'docs/guide/transactions.md',
  'docs/operate/reports.md',
  'docs/guide/agents.md',
];
const LIMIT_MS = 240_000;

interface Example {
  commands: string;
  /** What the page prints as their output; empty where it prints nothing. */
  printed: string;
}

const server = useDemoServer();

beforeAll(() => {
  mkdirSync(join(server.folder, 'demo'));
  copyFileSync(join(ROOT, 'demo/shell.sh'), join(server.folder, 'demo/shell.sh'));
});

/** The blocks of commands of a page, each with what the page prints as their output. */
function examplesOf(page: string): Example[] {
  return blocksOf(page).filter(({ commands }) => !/^npm /m.test(commands));
}

test(
  'the pages print what their examples print, one page after the other on a fresh demo',
  () => {
    const examples = PAGES.flatMap((page) => examplesOf(page).map((example) => ({ page, ...example })));
    const { stdout } = spawnSync(
      'bash',
      ['-c', examples.map(({ commands }) => `${commands}\necho; echo @@@`).join('\n')],
      {
        cwd: server.folder,
        encoding: 'utf8',
        timeout: LIMIT_MS,
        env: {
          ...server.settings,
          PATH: process.env.PATH,
          NODE_COMPILE_CACHE: COMPILE_CACHE,
          // `npx rewards` as in a clone of the repository, with errors in their place among the output.
          'BASH_FUNC_npx%%': `() { shift; '${process.execPath}' --no-warnings '${ROOT}src/cli/main.ts' "$@" 2>&1; }`,
        },
      },
    );
    const outputs = stdout.split('@@@\n');
    const differing = examples.flatMap(({ page, commands, printed }, index) => {
      const actual = essence(outputs[index] ?? '');
      const parts = printed.split('…').map(essence);
      return parts.every((part) => actual.includes(part))
        ? []
        : [{ page, commands, printed, actual: outputs[index] }];
    });
    expect(differing).toEqual([]);
    expect(examples.filter(({ printed }) => printed !== '').length).toBeGreaterThan(15);
  },
  LIMIT_MS,
);

/**
 * A text without its spaces and without what is different each time: ids, instants, hashes, codes and cursors, the
 * months of the liability, and what a campaign with fixed dates says.
 */
function essence(text: string): string {
  return text
    .replace(/^20\d\d-\d\d +20\d\d-\d\d .*$/gm, '')
    .replace(/anniversary[^\n}]*/g, 'anniversary')
    .replace(/\b([a-z]{3})_[0-9a-hjkmnp-tv-z]{26}\b/g, '$1_')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'then')
    .replace(/\b[0-9a-f]{64}\b|"(?:nextCursor|referralCode)":"[^"]+"/g, '#')
    .replace(/\s+/g, '');
}
