import { readdirSync, readFileSync } from 'node:fs';
import { StaticDocument } from '../../http/static-document.ts';

/** A page of the documentation as it is served. */
export interface DocumentationPage {
  /** Such as `/docs/guide/rest.md`, or `/README.md`. */
  path: string;
  title: string;
  document: StaticDocument;
}

/**
 * Reads README.md and the pages of docs/ and its folders, in the order in which the README's table names them; pages
 * that it does not name come last. They are served as plain text, which a browser shows: it would download the type of
 * Markdown.
 * @param root the project's folder, with a slash at its end
 */
export function readDocumentation(root: URL): DocumentationPage[] {
  const readme = readFileSync(new URL('README.md', root), 'utf8');
  const rows = readme.split('\n').filter((line) => line.startsWith('|'));
  const named = Array.from(rows.join('\n').matchAll(/\]\((docs\/[\w/-]+\.md)/g), ([, path = '']) => path);
  const present = readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .toSorted();
  const paths = new Set([...named.filter((path) => present.includes(path)), ...present]);
  return [
    page('README.md', readme),
    ...Array.from(paths, (path) => page(path, readFileSync(new URL(path, root), 'utf8'))),
  ];
}

function page(path: string, text: string): DocumentationPage {
  return {
    path: `/${path}`,
    title: /^# (.+)$/m.exec(text)?.[1] ?? path,
    document: new StaticDocument(text, { 'Content-Type': 'text/plain; charset=utf-8' }),
  };
}
