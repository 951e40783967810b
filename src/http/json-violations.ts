import type { Detail } from '../refusal.ts';
import { classifyNumber } from './exact-integer.ts';
import { childPath } from './json-path.ts';

/** Enough to correct a body; a hostile one can have thousands. */
const MAX_VIOLATIONS = 20;

const numberText = /[-+0-9.eE]+/y;

/**
 * Finds the values of a JSON text that JSON allows and the contract does not, with their paths.
 * @param text valid JSON of bounded depth
 */
export function findViolations(text: string): Detail[] {
  const reader = new Reader(text);
  reader.value();
  return reader.violations;
}

/**
 * The violations of a JSON text, in the words of the contract where it objects to the same value: the contract knows
 * which bounds hold for a number, where the JSON reader only knows which ones hold for all.
 * @param details what the contract objects to, with paths from the same root as those of the violations
 */
export function inContractWords(violations: readonly Detail[], details: readonly Detail[]): Detail[] {
  return violations.map((violation) => details.find(({ path }) => path === violation.path) ?? violation);
}

/** Why a string may not be stored, or null: Postgres takes no NUL, and UTF-8 has no lone surrogates. */
export function stringViolation(value: string): string | null {
  if (value.includes('\0')) return 'must not contain NUL';
  return value.isWellFormed() ? null : 'must not contain a lone surrogate';
}

/** Walks a text that JSON.parse has accepted, so it does not check syntax. */
class Reader {
  readonly violations: Detail[] = [];
  readonly #text: string;
  #at = 0;
  /** Names and indexes from the root to the current value. */
  readonly #steps: (string | number)[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  value(): void {
    this.#skipSpace();
    switch (this.#text[this.#at]) {
      case '{':
        this.#object();
        return;
      case '[':
        this.#array();
        return;
      case '"': {
        const problem = stringViolation(this.#string());
        if (problem) this.#report(problem);
        return;
      }
      case 't':
      case 'n':
        this.#at += 4;
        return;
      case 'f':
        this.#at += 5;
        return;
      default:
        this.#number();
    }
  }

  #object(): void {
    this.#at += 1;
    while (this.#nextIsNot('}')) {
      const key = this.#string();
      this.#steps.push(key);
      const problem = key === '__proto__' ? 'is not an allowed name' : stringViolation(key);
      if (problem) this.#report(problem);
      this.#skipSpace();
      this.#at += 1;
      this.value();
      this.#steps.pop();
      if (!this.#nextIsNot('}')) break;
      this.#at += 1;
    }
    this.#at += 1;
  }

  #array(): void {
    this.#at += 1;
    for (let index = 0; this.#nextIsNot(']'); index += 1) {
      this.#steps.push(index);
      this.value();
      this.#steps.pop();
      if (!this.#nextIsNot(']')) break;
      this.#at += 1;
    }
    this.#at += 1;
  }

  #string(): string {
    const start = this.#at;
    let at = start + 1;
    let escaped = false;
    for (let code = this.#text.charCodeAt(at); code !== 0x22; code = this.#text.charCodeAt(at)) {
      if (code === 0x5c) {
        escaped = true;
        at += 1;
      }
      at += 1;
    }
    this.#at = at + 1;
    const raw = this.#text.slice(start + 1, at);
    return escaped ? (JSON.parse(`"${raw}"`) as string) : raw;
  }

  #number(): void {
    const start = this.#at;
    numberText.lastIndex = start;
    numberText.test(this.#text);
    this.#at = numberText.lastIndex;
    const lexeme = this.#text.slice(start, this.#at);
    const double = Number(lexeme);
    const exact = classifyNumber(lexeme);
    if (exact === 'unsafe integer' || !Number.isFinite(double)) {
      this.#report('must be between -9007199254740991 and 9007199254740991');
    } else if (exact === 'fraction' && Number.isInteger(double)) {
      this.#report('is a fraction that would be rounded to an integer');
    }
  }

  #nextIsNot(closing: string): boolean {
    this.#skipSpace();
    return this.#text[this.#at] !== closing;
  }

  #skipSpace(): void {
    while (this.#text.charCodeAt(this.#at) <= 0x20) this.#at += 1;
  }

  #report(message: string): void {
    if (this.violations.length === MAX_VIOLATIONS) return;
    let path = '';
    for (const step of this.#steps)
      path = childPath(path, typeof step === 'string' ? step.toWellFormed() : step);
    this.violations.push({ path, message });
  }
}
