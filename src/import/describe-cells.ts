import type { Detail, Refusal } from '../refusal.ts';
import type { Cells } from './import-rows.ts';

/** What messages say of the columns of one kind of file. */
export interface ColumnTexts<Column extends string> {
  /** The column that a field of the input comes from. */
  columnOf: Readonly<Record<string, Column>>;
  /** Messages for columns whose format differs from the contract's, in place of the contract's message. */
  rules: Partial<Record<Column, string>>;
  /** What was found where a cell is empty; "found nothing" by default. */
  absent?(column: Column): string;
}

/** Describes what is wrong with rows, with the names of their columns. */
export interface Describer<Column extends string> {
  /** Describes a wrong cell: its column, what it must contain, and what was found. */
  cell(cells: Cells<Column>, column: Column, rule?: string): string;
  /** Describes how a row's input violates the contract, by column. */
  violations(details: readonly Detail[], cells: Cells<Column>): string;
  /** Describes a refusal by its details, or else by its message. */
  refusal(refusal: Refusal, cells: Cells<Column>): string;
}

const MAX_QUOTED = 60;

export function describerOf<Column extends string>({
  columnOf,
  rules,
  absent = () => 'found nothing',
}: ColumnTexts<Column>): Describer<Column> {
  const cell = (cells: Cells<Column>, column: Column, rule = rules[column] ?? 'is wrong'): string => {
    const text = cells[column] ?? '';
    if (text === '') return `${column} ${rule} (${absent(column)})`;
    const shown = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
    return `${column} ${rule} (found ${JSON.stringify(shown)})`;
  };
  const describe = (
    details: readonly Detail[],
    cells: Cells<Column>,
    ruleOf: (column: Column, message: string) => string,
  ): string =>
    details
      .map(({ path, message }) => {
        const column = columnOf[path];
        return column ? cell(cells, column, ruleOf(column, message)) : `${path} ${message}`.trim();
      })
      .join('; ');
  return {
    cell,
    violations: (details, cells) => describe(details, cells, (column, message) => rules[column] ?? message),
    refusal: ({ message, details }, cells) =>
      // The cells have the right format, so the message of the refusal is used and not that of the rules.
      details && details.length > 0
        ? describe(details, cells, (_column, said) => said)
        : inColumns(message, columnOf),
  };
}

/** Replaces the contract's field names in a message by the columns' names. */
function inColumns(message: string, columnOf: Readonly<Record<string, string>>): string {
  return Object.entries(columnOf)
    .toSorted(([one], [other]) => other.length - one.length)
    .reduce((text, [path, column]) => text.replaceAll(path, column), message);
}
