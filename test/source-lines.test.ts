import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The most characters of a line (CONTRIBUTING.md). */
const MOST = 120;
const IS_COMMENT = /^\s*(?:\/\/|\/?\*)/;

const files = execFileSync('git', ['ls-files', '-z', '*.ts', '*.mjs', '*.graphql'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => file !== '' && !/(^|\/)generated\//.test(file));

/** Lines of comments that are too long, as `file:line`. */
function longComments(): string[] {
  return files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        line.length > MOST && IS_COMMENT.test(line) ? [`${file}:${index + 1}`] : [],
      ),
  );
}

test('no comment has a line of more than 120 characters', () => {
  expect(files.length).toBeGreaterThan(1_500);
  expect(longComments()).toEqual([]);
});
