const COMMAND = /(?![\t\n])\p{Cc}/gu;
// Tabs and line ends too, and what separates lines or turns the direction of the text around it.
const OUT_OF_LINE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A text that a terminal shows and does not obey: control characters become escapes such as `\u001b`, which say the
 * same in JSON, and in YAML where they stand in quotes. Tabs and line ends stay.
 */
export function printable(text: string): string {
  return text.replace(COMMAND, escapeCharacter);
}

/** The same on one line: what somebody else wrote cannot look like a line of ours. */
export function printableLine(text: string): string {
  return text.replace(OUT_OF_LINE, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
