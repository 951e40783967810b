import { execFileSync, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createCommandLine } from '../../../src/cli/command-line.ts';
import { commandWords } from '../../../src/cli/completion/completion.ts';
import { runCli } from '../../support/cli/run-cli.ts';
import { useFolder } from '../../support/fixture.ts';
import { describeWhere } from '../../support/where.ts';

const nowhere = 'postgresql://nobody@127.0.0.1:1/none';
const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

const folder = useFolder('rewards-completion-');

beforeAll(async () => {
  for (const shell of SHELLS) {
    const { exitCode, stdout, stderr } = await runCli(nowhere, ['completion', shell]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    await writeFile(join(folder, shell), stdout);
  }
});

const ASK_BASH = `COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rewards; printf '%s\\n' "\${COMPREPLY[@]}"`;
// zsh: its own helpers show what they are given, where a terminal would show a menu.
const ASK: Record<Shell, string> = {
  bash: `source "$0"; ${ASK_BASH}`,
  zsh: `compdef() { : }; _files() { print -r -- FILES }; compadd() { shift; print -rl -- "$@" }
    _describe() { local one; for one in "\${items[@]}"; do print -r -- "\${one%%:*}"; done }
    source "$0"; words=("$@"); CURRENT=$#; _rewards`,
  fish: `source $argv[1]; complete -C (string join ' ' -- $argv[2..])`,
};

/** What a shell offers behind these words, the last of which is begun. */
function offered(shell: Shell, words: readonly string[]): string[] {
  const script = join(folder, shell);
  const args = shell === 'fish' ? ['--no-config', '-c', ASK.fish] : ['-c', ASK[shell]];
  return wordsOf(execFileSync(shell, [...args, script, 'rewards', ...words], { encoding: 'utf8' }), words);
}

/** The same for several lines of bash, which reads the script once: that takes most of the time of a line. */
function offeredByBash(lines: readonly (readonly string[])[]): string[][] {
  const ask = `source "$0"; ask() { COMPREPLY=(); ${ASK_BASH}; printf '\\0'; }`;
  const asked = lines.map((words) => `ask rewards ${words.join(' ')}`);
  const args = ['-c', [ask, ...asked].join('\n'), join(folder, 'bash')];
  const outputs = execFileSync('bash', args, { encoding: 'utf8' }).split('\0');
  return lines.map((words, index) => wordsOf(outputs[index] ?? '', words));
}

/** The first words of the lines that begin as the last word does. */
function wordsOf(output: string, words: readonly string[]): string[] {
  const begun = words.at(-1) ?? '';
  return output
    .split('\n')
    .map((line) => line.split('\t')[0] ?? '')
    .filter((word) => word !== '' && word.startsWith(begun))
    .toSorted();
}

describe.each(SHELLS)('%s', (shell) => {
  const isThere = spawnSync(shell, ['-c', 'true']).status === 0;
  // bash is always there; the others where they are installed.
  describeWhere(isThere || shell === 'bash', `no ${shell}`)('completes', () => {
    test.each([
      [
        ['key', ''],
        ['issue', 'list', 'revoke', 'rotate'],
      ],
      [['program', 'pub'], ['publish']],
      [['env', 'create', '--ki'], ['--kind']],
      [
        ['env', 'create', '--kind', ''],
        ['production', 'sandbox'],
      ],
      [['env', 'create', '-k', 'p'], ['production']],
      [
        ['completion', ''],
        ['bash', 'fish', 'zsh'],
      ],
      [
        ['key', 'list', '--'],
        ['--environment', '--help', '--json'],
      ],
      // An option's value that is the name of a command is no command.
      [['env', 'create', '--name', 'list', '--k'], ['--kind']],
    ])('%j', (words, expected) => {
      expect(offered(shell, words)).toEqual(expect.arrayContaining(expected));
      const more = offered(shell, words).filter((word) => !expected.includes(word));
      expect(more.filter((word) => word !== 'help' && !word.startsWith('-'))).toEqual([]);
    });
  });
});

test('every option of every command is offered', async () => {
  const tree = commandWords(createCommandLine());
  expect(tree.length).toBeGreaterThan(40);
  const offers = offeredByBash(tree.map(({ path }) => [...path, '--']));
  const expected = tree.map(({ path, options }) => {
    const long = options.flatMap(({ names }) => names.filter((name) => name.startsWith('--')));
    return [path, long.toSorted()];
  });
  expect(tree.map(({ path }, index) => [path, offers[index]])).toEqual(expected);
});
