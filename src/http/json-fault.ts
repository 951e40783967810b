/** Why a text is not one JSON value without duplicate keys, and where. */
export interface JsonFault {
  kind: 'empty' | 'syntax' | 'end' | 'doubled key';
  /** Index into the text: of the character that does not fit, or of the second occurrence of the key. */
  at: number;
}

/**
 * Finds the first fault of a text. It is slower than JSON.parse, but tells where the fault is: to be called only for a
 * text that JSON.parse has refused or that is known to have a duplicate key.
 * @param text whose objects and arrays are not nested too deeply to recurse into
 */
export function findJsonFault(text: string): JsonFault | null {
  const reader = new Reader(text);
  try {
    reader.read();
    return null;
  } catch (error) {
    if (error instanceof JsonFaultError) return error.fault;
    throw error;
  }
}

/** Line and column of an index, both counted from 1. Columns are characters, as an editor counts them. */
export function positionAt(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: [...(before.at(-1) ?? '')].length + 1 };
}

/** Thrown to end the reading from any depth. */
class JsonFaultError extends Error {
  readonly fault: JsonFault;

  constructor(fault: JsonFault) {
    super(fault.kind);
    this.fault = fault;
  }
}

const space = /[ \t\n\r]*/y;
/** A number or the beginning of one, such as `-` or `1.`. It is a number if its last character is a digit. */
const number = /-?(?:(?:0|[1-9][0-9]*)(?:\.(?:[0-9]+(?:[eE][-+]?[0-9]*)?)?|[eE][-+]?[0-9]*)?)?/y;
const digit = /[0-9]/;
const words: Readonly<Record<string, string>> = { t: 'true', f: 'false', n: 'null' };
const escaped = /["\\/bfnrt]/y;
const hexadecimals = /[0-9a-fA-F]{0,4}/y;

/** Reads by the grammar of RFC 8259, and stops at the first character that does not fit. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): void {
    this.#take(space);
    if (this.#at === this.#text.length) throw new JsonFaultError({ kind: 'empty', at: 0 });
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
    else if (first !== undefined && Object.hasOwn(words, first)) this.#word(words[first] ?? '');
    else if (!this.#take(number) || !digit.test(this.#text[this.#at - 1] ?? '')) this.#fail();
  }

  #word(word: string): void {
    for (const character of word) this.#expect(character);
  }

  #object(): void {
    const keys = new Set<string>();
    this.#list('}', () => {
      this.#take(space);
      const at = this.#at;
      if (this.#text[at] !== '"') this.#fail();
      const key = this.#string();
      if (keys.has(key)) throw new JsonFaultError({ kind: 'doubled key', at });
      keys.add(key);
      this.#take(space);
      this.#expect(':');
      this.#value();
    });
  }

  /** Reads members separated by commas, from the opening bracket at the current index to the closing one. */
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

  /** Reads a string. @returns its value */
  #string(): string {
    const start = this.#at;
    this.#at += 1;
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 0x22) break;
      // Past the end, `code` is NaN, for which every comparison is false.
      if (!(code >= 0x20)) this.#fail();
      this.#at += 1;
      if (code === 0x5c) this.#escape();
    }
    this.#at += 1;
    return JSON.parse(this.#text.slice(start, this.#at)) as string;
  }

  /** Reads what follows a backslash. */
  #escape(): void {
    if (this.#take(escaped)) return;
    this.#expect('u');
    const start = this.#at;
    this.#take(hexadecimals);
    if (this.#at - start < 4) this.#fail();
  }

  #expect(character: string): void {
    if (this.#text[this.#at] !== character) this.#fail();
    this.#at += 1;
  }

  /** Moves past the text that a pattern matches at the current index. @returns false if that text is empty or absent */
  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    const hasMatched = pattern.lastIndex > this.#at;
    this.#at = pattern.lastIndex;
    return hasMatched;
  }

  #fail(): never {
    throw new JsonFaultError({ kind: this.#at < this.#text.length ? 'syntax' : 'end', at: this.#at });
  }
}
