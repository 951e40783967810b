import Table from 'cli-table3';
import { printable } from './printable.ts';

/** Prints data as JSON for programs, or as text for people. Dates become ISO 8601. */
export function print(asJson: boolean | undefined, data: object, text: () => string): void {
  process.stdout.write(`${printable(asJson ? JSON.stringify(data, null, 2) : text())}\n`);
}

/** Prints a line for people to stderr, so that stdout contains only data. */
export function hint(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}

/** A table with headings and without borders. */
export function table(headings: string[], rows: (string | number)[][]): string {
  const none = { chars: BORDERLESS, style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 } };
  const drawn = new Table({ ...none, head: headings.map((heading) => heading.toUpperCase()) });
  drawn.push(...rows);
  return drawn
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** An instant for tables, to the second; `-` for null. */
export function instant(at: Date | null): string {
  return at ? `${at.toISOString().slice(0, 19)}Z` : '-';
}

const BORDERLESS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
};
