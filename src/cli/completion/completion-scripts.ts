/** The words that may follow a command: subcommands, options and arguments. */
export interface CommandWords {
  /** Such as `['env', 'create']`; empty for `rewards` itself. */
  path: readonly string[];
  commands: { name: string; description: string }[];
  options: OptionWords[];
  arguments: { file: boolean; choices: readonly string[] }[];
}

interface OptionWords {
  /** Such as `-e` and `--environment`. */
  names: string[];
  description: string;
  /** The kind of value that the option takes; null where it takes none. */
  value: 'file' | 'other' | null;
  choices: readonly string[];
}

/** The script for bash, to be sourced or put into the folder of bash-completion. */
export function bashCompletion(tree: readonly CommandWords[]): string {
  const values = tree.flatMap((words) =>
    words.options.flatMap((option) => {
      if (option.value === null) return [];
      const at = option.names.map((name) => quoted(`${keyOf(words)}:${name}`)).join('|');
      if (option.value === 'file') return [`    ${at}) return ;;`];
      if (option.choices.length === 0) return [`    ${at}) compopt +o default 2>/dev/null; return ;;`];
      return [`    ${at}) words=${quoted(option.choices.join(' '))} ;;`];
    }),
  );
  const following = tree.map((words) => {
    const options = words.options.flatMap(({ names }) => names).join(' ');
    const files = words.arguments.some(({ file }) => file) ? ' files=1' : '';
    return `    ${quoted(keyOf(words))}) words=${quoted(wordsOf(words))} options=${quoted(options)}${files} ;;`;
  });
  return `# Completion of rewards for bash. Use it with: source <(rewards completion bash)
_rewards() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command='' words='' options='' files='' index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$command \${COMP_WORDS[index]}" in
      ${pathsOf(tree)}) command="$command \${COMP_WORDS[index]}" ;;
    esac
  done
  case "$command:\${COMP_WORDS[COMP_CWORD - 1]}" in
${values.join('\n')}
  esac
  if [[ -z $words ]]; then
    case "$command" in
${following.join('\n')}
    esac
    # Options where one is begun, or where there is nothing else; a file is completed by bash itself.
    [[ $current == -* || -z "$words$files" ]] && words=$options
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _rewards rewards
`;
}

/** The script for zsh, to be sourced or saved as `_rewards` in a folder of fpath. */
export function zshCompletion(tree: readonly CommandWords[]): string {
  const values = tree.flatMap((words) =>
    words.options.flatMap((option) => {
      if (option.value === null) return [];
      const at = option.names.map((name) => quoted(`${keyOf(words)}:${name}`)).join('|');
      const offered = option.choices.length > 0 ? `compadd -- ${option.choices.join(' ')}; ` : '';
      return [`    ${at}) ${option.value === 'file' ? '_files; ' : offered}return ;;`];
    }),
  );
  const following = tree.map((words) => {
    const commands = words.commands.map(({ name, description }) => described(name, description));
    const options = words.options.flatMap(({ names, description }) =>
      names.map((name) => described(name, description)),
    );
    const choices = words.arguments.flatMap((argument) => argument.choices.map(quoted));
    const files = words.arguments.some(({ file }) => file) ? ' _files;' : '';
    return `    ${quoted(keyOf(words))}) items=(${[...commands, ...choices, ...options].join(' ')});${files} ;;`;
  });
  return `#compdef rewards
# Completion of rewards for zsh. Use it with: source <(rewards completion zsh), after compinit.
_rewards() {
  local command='' word
  local -a items
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$command $word" in
      ${pathsOf(tree)}) command="$command $word" ;;
    esac
  done
  case "$command:\${words[CURRENT-1]}" in
${values.join('\n')}
  esac
  case "$command" in
${following.join('\n')}
  esac
  _describe rewards items
}
if [[ $funcstack[1] == _rewards ]]; then
  _rewards "$@"
else
  compdef _rewards rewards
fi
`;
}

/** The script for fish, to be put into its folder of completions. */
export function fishCompletion(tree: readonly CommandWords[]): string {
  const lines = tree.flatMap((words) => {
    const at = `complete -c rewards -n ${fishQuoted(`__rewards_at ${fishQuoted(keyOf(words))}`)}`;
    return [
      ...words.commands.map(
        ({ name, description }) => `${at} -a ${fishQuoted(name)} -d ${fishQuoted(description)}`,
      ),
      ...words.options.map((option) => `${at} ${fishOption(option)}`),
      ...words.arguments.map(({ file, choices }) =>
        file ? `${at} -F` : `${at} -a ${fishQuoted(choices.join(' '))}`,
      ),
    ];
  });
  return `# Completion of rewards for fish, for ~/.config/fish/completions/rewards.fish
function __rewards_at
    set -l command ''
    for word in (commandline -opc)[2..]
        switch "$command $word"
            case ${tree.flatMap((words) => (words.path.length > 0 ? [fishQuoted(keyOf(words))] : [])).join(' ')}
                set command "$command $word"
        end
    end
    test "$command" = "$argv[1]"
end
complete -c rewards -f
${lines.join('\n')}
`;
}

function fishOption({ names, description, value, choices }: OptionWords): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const valueFlags = { file: ['-r', '-F'], other: ['-x'], none: [] }[value ?? 'none'];
  const offered = choices.length > 0 ? ['-a', fishQuoted(choices.join(' '))] : [];
  return [...flags, ...valueFlags, ...offered, '-d', fishQuoted(description)].join(' ');
}

/** The path of a command in the format that the scripts compare: a space before each word. */
function keyOf({ path }: CommandWords): string {
  return path.map((word) => ` ${word}`).join('');
}

function pathsOf(tree: readonly CommandWords[]): string {
  return tree.flatMap((words) => (words.path.length > 0 ? [quoted(keyOf(words))] : [])).join('|');
}

/** The words that may follow the command, without options and file names. */
function wordsOf({ commands, arguments: args }: CommandWords): string {
  return [...commands.map(({ name }) => name), ...args.flatMap(({ choices }) => choices)].join(' ');
}

/** The text in single quotes, for bash and zsh. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A word with its description, in the format of zsh's _describe. */
function described(name: string, description: string): string {
  return quoted(`${name}:${description.replaceAll('\\', '\\\\').replaceAll(':', '\\:')}`);
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
