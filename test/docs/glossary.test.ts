import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ROOT } from '../support/docs/pages.ts';
import { allPages, proseOf } from '../support/docs/prose.ts';

const GLOSSARY = 'docs/glossary.md';
const [, terms = '', avoided = ''] = readFileSync(join(ROOT, GLOSSARY), 'utf8').split(/^## .*\n/m);

/** The cells of each row of a table, without its head. */
function rowsOf(section: string): string[][] {
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** What is before the mark of the project's own terms. */
const TERMS = rowsOf(terms).map(([term = '']) => term.replace(' ⌂', ''));
const AVOIDED = rowsOf(avoided).map(([words = '', , except = '']) => ({
  words: words.split(', '),
  except: except === '' ? [] : except.split(', '),
}));
const PAGES = allPages()
  .filter((page) => page !== GLOSSARY)
  .map((page) => ({ page, lines: proseOf(page) }));

/** Finds whole words, in any case, with a plural where one is asked for. */
function wholeWord(words: readonly string[], plural = ''): RegExp {
  return new RegExp(`(?<![\\w-])(?:${words.join('|')})${plural}(?![\\w-])`, 'gi');
}

test('the terms are sorted, and each has one meaning', () => {
  expect(TERMS.length).toBeGreaterThan(60);
  const names = TERMS.map((term) => term.toLowerCase());
  expect(names).toEqual([...new Set(names)].toSorted());
});

test('every term is used on another page', () => {
  const text = PAGES.flatMap(({ lines }) => lines).join('\n');
  const unused = TERMS.filter(
    (term) => !wholeWord([term.replace(/y$/, '(?:y|ies)')], '(?:s|es)?').test(text),
  );
  expect(unused).toEqual([]);
});

test('the words to avoid are sorted, and no terms', () => {
  const words = AVOIDED.map(({ words: [first = ''] }) => first);
  expect(words).toEqual(words.toSorted());
  expect(TERMS.filter((term) => AVOIDED.some(({ words: list }) => list.includes(term)))).toEqual([]);
});

test.each(AVOIDED)('no page says $words', ({ words, except }) => {
  const found = PAGES.flatMap(({ page, lines }) =>
    lines.flatMap((line, index) => {
      const rest = except.reduce((text, phrase) => text.replaceAll(wholeWord([phrase]), ''), line);
      return wholeWord(words).test(rest) ? [`${page}:${index + 1}: ${line.trim()}`] : [];
    }),
  );
  expect(found).toEqual([]);
});
