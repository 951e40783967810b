/** A statement of an SQL script. */
export interface ScriptStatement {
  /** Without the semicolon, with the comments before it. */
  text: string;
  /** Where the text begins in the script, in characters. */
  offset: number;
}

/** Comments, what is in quotes of any kind, and the semicolons that are in neither. */
const PART = /--.*|\/\*[\s\S]*?\*\/|'[^']*'|"[^"]*"|(\$\w*\$)[\s\S]*?\1|;/g;

/**
 * Takes an SQL script apart at its semicolons. Comments within comments, `E'\''` and bodies of functions without quotes
 * (`begin atomic`) are not understood: the migrations have none.
 */
export function statementsOf(script: string): ScriptStatement[] {
  const statements: ScriptStatement[] = [];
  let offset = 0;
  let hasText = false;
  let read = 0;
  const take = (end: number): void => {
    if (hasText) statements.push({ text: script.slice(offset, end), offset });
    offset = end + 1;
    hasText = false;
  };
  for (const { 0: part, index } of script.matchAll(PART)) {
    const isComment = part.startsWith('--') || part.startsWith('/*');
    hasText ||= script.slice(read, index).trim() !== '';
    read = index + part.length;
    if (part === ';') take(index);
    else hasText ||= !isComment;
  }
  hasText ||= script.slice(read).trim() !== '';
  take(script.length);
  return statements;
}
