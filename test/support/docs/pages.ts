import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** A block of commands of a page, and what the page makes and prints around it. */
export interface Block {
  /** The line of the page on which its first command stands. */
  line: number;
  commands: string;
  /** Files that the page asks its reader to write after the block before it, by their paths. */
  files: ReadonlyMap<string, string>;
  /** What the page prints as the output; empty where it prints nothing. */
  printed: string;
}

/** A paragraph that begins with the path of a file and ends with a colon: what follows is the file. */
const FILE = /(?:^|\n\n)`([\w.-]+\/[\w./-]+)`[^\n`]*:\n\n$/;

/** The README, the pages that it links to in its own order, and the other pages. */
export function pagesInOrder(): string[] {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const linked = Array.from(readme.matchAll(/\]\((docs\/[\w/-]+\.md)/g), ([, page = '']) => page);
  const all = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .toSorted();
  return [...new Set(['README.md', ...linked, ...all.map((name) => `docs/${name}`)])];
}

/** The blocks of commands of a page, in their order. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const blocks: (Block & { printed: string })[] = [];
  let files = new Map<string, string>();
  for (const match of text.matchAll(/^```(\w*)\n(.*?)^```/gms)) {
    const [, language = '', content = ''] = match;
    const before = text.slice(0, match.index);
    const path = FILE.exec(before)?.[1];
    const last = blocks.at(-1);
    if (language === 'sh') {
      const line = before.split('\n').length + 1;
      blocks.push({ line, commands: content, files, printed: '' });
      files = new Map();
    } else if (path) files.set(path, content);
    else if (last && ['', 'json', 'text'].includes(language) && isNext(text, match.index))
      last.printed = content;
  }
  return blocks;
}

/**
 * Whether what stands before an output is the block of commands that prints it, with no heading and no other block
 * between.
 */
function isNext(text: string, index: number): boolean {
  const before = text.slice(0, index);
  const end = before.lastIndexOf('\n```\n');
  const start = before.lastIndexOf('\n```', end - 1);
  const commands = before.slice(start, end);
  return (
    commands.startsWith('\n```sh\n') &&
    !commands.includes('\n. demo/shell.sh') &&
    !/\n#/.test(before.slice(end))
  );
}
