import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ROOT } from '../support/docs/pages.ts';
import { allPages } from '../support/docs/prose.ts';

const MOST = 120;

/** Pages that are generated whole. */
const GENERATED = ['docs/internals/data-model.md', 'docs/operate/licences.md'];

/** What readers type or copy. Other blocks are output, or files whose lines cannot be broken. */
const TYPED = ['sh', 'js', 'ts', 'yaml', 'html', 'css', 'sql', 'graphql'];

const PAGES = allPages().filter((page) => !GENERATED.includes(page));

test.each(PAGES)('%s has no line of more than 120 characters', (page) => {
  expect(longLines(readFileSync(join(ROOT, page), 'utf8'))).toEqual([]);
});

/** Lines that are too long, but for tables, pictures and output. */
function longLines(text: string): string[] {
  let block: string | null = null;
  return text.split('\n').flatMap((line, index) => {
    const [, fence] = /^\s*```(\w*)/.exec(line) ?? [];
    if (fence !== undefined) block = block === null ? fence : null;
    const mayBeLong = block === null ? /^\s*(?:\||!\[)/.test(line) : !TYPED.includes(block);
    return line.length > MOST && !mayBeLong ? [`${index + 1}: ${line}`] : [];
  });
}

test.each([
  ['prose', 'x'.repeat(121), 1],
  ['a command', `\`\`\`sh\n${'x'.repeat(121)}\n\`\`\``, 1],
  ['prose after a block', `\`\`\`sh\nls\n\`\`\`\n${'x'.repeat(121)}`, 1],
  ['a line of 120', 'x'.repeat(120), 0],
  ['a table', `| ${'x'.repeat(121)} |`, 0],
  ['output', `\`\`\`json\n${'x'.repeat(121)}\n\`\`\``, 0],
])('%s is judged', (_what, text, count) => {
  expect(longLines(text)).toHaveLength(count);
});
