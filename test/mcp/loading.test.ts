import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));
/** An import that loads what it names, and not its types alone. */
const loading = (name: string) => new RegExp(`^import (?!type )[^;]*from '[^']*${name}[^']*'`, 'm');

/** The sources that load a module as soon as they are loaded themselves. */
function sourcesLoading(name: string): string[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && loading(name).test(readFileSync(SRC + file, 'utf8')))
    .toSorted();
}

test("the protocol's library, which takes half a second and 45 MB, is loaded for the first message of an agent alone", () => {
  expect(sourcesLoading('@modelcontextprotocol/')).toEqual(['mcp/answer-message.ts']);
  expect(sourcesLoading('answer-message\\.ts')).toEqual([]);
  // That imports are found at all.
  expect(sourcesLoading('mcp/call-tool\\.ts|\\./call-tool\\.ts').length).toBeGreaterThan(0);
});
