import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './pages.ts';

/**
 * All pages for readers, by their paths: those of the documentation, and those at the top and in the rooms of `src`.
 */
export function allPages(): string[] {
  const inFolders = ['docs', 'src'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  );
  return ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', ...inFolders.toSorted()];
}

/**
 * The lines of a page without what is no prose: blocks of code, code in a line, and the targets of links. Lines keep
 * their numbers: those of a block of code are empty.
 */
export function proseOf(page: string): string[] {
  let inBlock = false;
  return readFileSync(join(ROOT, page), 'utf8')
    .split('\n')
    .map((line) => {
      const isFence = /^\s*```/.test(line);
      if (isFence) inBlock = !inBlock;
      return isFence || inBlock ? '' : line.replaceAll(/`[^`]*`|\]\([^)]*\)/g, ' ');
    });
}
