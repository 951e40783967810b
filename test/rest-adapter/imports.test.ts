import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const folder = fileURLToPath(new URL('../../rest-adapter/', import.meta.url));

test('the adapter imports nothing of the server that hosts it', () => {
  const imports = globSync('**/*.ts', { cwd: folder }).flatMap((file) =>
    Array.from(readFileSync(folder + file, 'utf8').matchAll(/from '([^']+)'/g), ([, target = '']) =>
      target.startsWith('.') ? `./${join(dirname(file), target)}` : target,
    ),
  );
  expect(imports.length).toBeGreaterThan(10);
  for (const target of imports) {
    expect(target).toMatch(/^(node:http|graphql|\.\/(?!\.\.)[\w/.-]+)$/);
  }
});
