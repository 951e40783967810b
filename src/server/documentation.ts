import { readdirSync, readFileSync } from 'node:fs';
import { StaticDocument } from '../http/static-document.ts';

/** A page of docs/ as it is served. */
export interface DocumentationPage {
  /** Such as `/docs/rest.md`. */
  path: string;
  title: string;
  document: StaticDocument;
}

/**
 * Reads the pages of docs/. They are served as plain text, which a browser shows: it would download the type of Markdown.
 * @param directory with a slash at its end
 */
export function readDocumentation(directory: URL): DocumentationPage[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.md'))
    .toSorted()
    .map((name) => {
      const text = readFileSync(new URL(name, directory), 'utf8');
      return {
        path: `/docs/${name}`,
        title: /^# (.+)$/m.exec(text)?.[1] ?? name,
        document: new StaticDocument(text, { 'Content-Type': 'text/plain; charset=utf-8' }),
      };
    });
}
