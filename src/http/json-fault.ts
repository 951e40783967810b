/** What keeps a text from being one JSON value without doubled keys, and where. */
export interface JsonFault {
  kind: 'empty' | 'syntax' | 'end' | 'doubled key';
  /** Index into the text: of the character that does not fit, or of the key that comes again. */
  at: number;
}

/**
 * Finds the first fault of a text. To be asked only about texts that JSON.parse has refused or in which a key was found
 * to come twice: it is slower, and says where.
 * @param text whose objects and arrays are not nested too deeply to recurse into
 */
export function findJsonFault(text: string): JsonFault | null {
  const reader = new Reader(text);
  try {
    reader.read();
    return null;
  } catch (error) {
    if (error instanceof Found) return error.fault;
    throw error;
  }
}

/** Line and column of an index, both from 1: columns are characters, as an editor counts them. */
export function placeOf(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: [...(before.at(-1) ?? '')].length + 1 };
}

/** Ends the reading from any depth. */
class Found extends Error {
  readonly fault: JsonFault;

  constructor(fault: JsonFault) {
    super(fault.kind);
    this.fault = fault;
  }
}

const space = /[ \t\n\r]*/y;
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const word = /true|false|null/y;
const escaped = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y;

/** Reads by the grammar of RFC 8259, and stops at the first character that does not fit. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): void {
    this.#take(space);
    if (this.#at === this.#text.length) throw new Found({ kind: 'empty', at: 0 });
    this.#value();
    this.#take(space);
    if (this.#at < this.#text.length) this.#fail();
  }

  #value(): void {
    this.#take(space);
    const first = this.#text[this.#at];
    if (first === '{') this.#object();
    else if (first === '[') this.#list(']', () => this.#value());
    else if (first === '"') this.#string();
    else if (!this.#take(number) && !this.#take(word)) this.#fail();
  }

  #object(): void {
    const keys = new Set<string>();
    this.#list('}', () => {
      this.#take(space);
      const at = this.#at;
      if (this.#text[at] !== '"') this.#fail();
      const key = this.#string();
      if (keys.has(key)) throw new Found({ kind: 'doubled key', at });
      keys.add(key);
      this.#take(space);
      this.#expect(':');
      this.#value();
    });
  }

  /** What stands between the bracket here and the closing one, separated by commas. */
  #list(closing: string, member: () => void): void {
    this.#at += 1;
    this.#take(space);
    if (this.#text[this.#at] === closing) {
      this.#at += 1;
      return;
    }
    for (;;) {
      member();
      this.#take(space);
      if (this.#text[this.#at] === closing) {
        this.#at += 1;
        return;
      }
      this.#expect(',');
    }
  }

  /** @returns its value */
  #string(): string {
    const start = this.#at;
    this.#at += 1;
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 0x22) break;
      // Not a number past the end: neither comparison holds.
      if (!(code >= 0x20)) this.#fail();
      this.#at += 1;
      if (code === 0x5c && !this.#take(escaped)) this.#fail();
    }
    this.#at += 1;
    return JSON.parse(this.#text.slice(start, this.#at)) as string;
  }

  #expect(character: string): void {
    if (this.#text[this.#at] !== character) this.#fail();
    this.#at += 1;
  }

  /** Goes past what a pattern matches here. @returns whether that is anything */
  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    const taken = pattern.lastIndex > this.#at;
    this.#at = pattern.lastIndex;
    return taken;
  }

  #fail(): never {
    throw new Found({ kind: this.#at < this.#text.length ? 'syntax' : 'end', at: this.#at });
  }
}
