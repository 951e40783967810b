const COMMAND = /(?![\t\n])\p{Cc}/gu;
// All control characters including tabs and line ends, line separators, and marks that change the writing direction.
const OUT_OF_LINE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Makes a text safe for a terminal: control characters become escapes such as `\u001b`, which JSON and quoted YAML read
 * as the same characters. Tabs and line ends stay.
 */
export function printable(text: string): string {
  return text.replace(COMMAND, escapeCharacter);
}

/** The same on one line, so that text from outside cannot imitate a line of the output. */
export function printableLine(text: string): string {
  return text.replace(OUT_OF_LINE, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
