import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type FreshClone, startFreshClone } from '../support/docs/fresh-clone.ts';
import { type Exception, MAY_FAIL, NOT_RUN, OTHER_OUTPUT } from '../support/docs/not-run.ts';
import { type Block, blocksOf, pagesInOrder } from '../support/docs/pages.ts';
import { type BlockRun, runBlocks } from '../support/docs/run-blocks.ts';

const PAGES = pagesInOrder().map((page) => ({ page, blocks: blocksOf(page) }));
const LIMIT_MS = 300_000;

let clone: FreshClone;
let before: string[];

beforeAll(async () => {
  clone = await startFreshClone();
  before = await clone.files();
}, LIMIT_MS);

afterAll(() => clone?.close());

test.each(PAGES.filter(({ blocks }) => blocks.length > 0))(
  '$page runs as printed',
  async ({ page, blocks }) => {
    const runnable = blocks.filter(({ commands }) => !NOT_RUN.some((one) => isOf(one, page, commands)));
    const runs = await runBlocks(runnable, clone.folder);
    const problems = runnable.flatMap((block, index) => problemsOf(page, block, runs[index]));
    expect(problems.join('\n\n')).toBe('');
  },
  LIMIT_MS,
);

test('what the pages make is below .data/, which git ignores', async () => {
  const known = new Set(before);
  expect((await clone.files()).filter((file) => !known.has(file) && !file.startsWith('.data'))).toEqual([]);
});

test('each entry of the lists is of exactly one block', () => {
  const wrong = [...NOT_RUN, ...MAY_FAIL, ...OTHER_OUTPUT].filter((one) => {
    const blocks = PAGES.find(({ page }) => page === one.page)?.blocks ?? [];
    return blocks.filter(({ commands }) => commands.includes(one.text)).length !== 1;
  });
  expect(wrong).toEqual([]);
});

function isOf(exception: Exception, page: string, text: string): boolean {
  return exception.page === page && text.includes(exception.text);
}

/** What is wrong with the run of a block, in words, with the block and its output. */
function problemsOf(page: string, { line, commands, printed }: Block, run: BlockRun | undefined): string[] {
  const { output = '', failures = [] } = run ?? {};
  const isOne = (one: Exception) => isOf(one, page, commands);
  const refused = Array.from(output.matchAll(/"error":\{"code":"(\w+)"/g), ([, code = '']) => code)
    .filter((code) => !printed.includes(code))
    .map((code) => `refused: ${code}`);
  const problems = [
    ...(MAY_FAIL.some(isOne) ? [] : [...failures, ...refused]),
    ...(OTHER_OUTPUT.some(isOne) ? [] : missingWords(printed, output)),
  ];
  return problems.length === 0
    ? []
    : [`${page}:${line}\n${problems.join('\n')}\n--- block\n${commands}--- output\n${output}`];
}

/** The words of the printed output that the real one has not. */
function missingWords(printed: string, output: string): string[] {
  const words = printed
    .replaceAll(/\b\w+_[0-9a-hjkmnp-tv-z]{26}\b|[\w+/=-]{24,}|[A-Za-z]*\d[\w-]*/g, '')
    .match(/[A-Za-z]\w{2,}/g);
  const missing = [...new Set(words)].filter((word) => !output.includes(word));
  return missing.length === 0 ? [] : [`The output lacks: ${missing.join(', ')}`];
}
