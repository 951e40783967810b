/**
 * Run by Node as a program of its own: prints every text of SQL in `src`, with the values that it takes, as JSON. The
 * modules are loaded with each text wrapped in a call that notes its value. A text inside a function is computed at the
 * end of its module, unless it uses variables of the function; then a call in `built-statements.ts` has to compute it.
 */
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findSqlLiterals, isStatementText, namesTable, type SqlLiteral } from './sql-literals.ts';

/** A value of a text, and the numbers of the parameters that are the environment. */
export interface SqlValue {
  text: string;
  environmentNumbers: number[];
  isStatement: boolean;
}

/** A text of SQL with its values: several where they depend on arguments, none where it was never computed. */
export interface FoundSql extends Omit<SqlLiteral, 'from' | 'to' | 'isConstant' | 'parameters'> {
  values: SqlValue[];
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
const ENVIRONMENT_ID = '00000000-0000-7000-8000-00000000e000';
const literals = findSqlLiterals(root);
const values = literals.map(valuesByPrisma);

/** What Prisma's client sends for a template: a parameter for each value. */
function valuesByPrisma({ chunks, parameters }: SqlLiteral): Map<string, SqlValue> {
  if (!parameters) return new Map();
  const text = chunks.map((chunk, index) => (index === 0 ? chunk : `$${index}${chunk}`)).join('');
  const environmentNumbers = parameters.flatMap((source, index) =>
    source === 'environmentId' ? index + 1 : [],
  );
  return new Map([[text, { text, environmentNumbers, isStatement: true }]]);
}

/** A statement that Prisma's `sql` has composed. */
interface Composed {
  text: string;
  values: readonly unknown[];
}

const recorder = {
  note<T extends string | Composed>(index: number, value: T): T {
    const text = typeof value === 'string' ? value : value.text;
    const environmentNumbers =
      typeof value === 'string'
        ? [1]
        : value.values.flatMap((one, place) => (one === ENVIRONMENT_ID ? place + 1 : []));
    values[index]?.set(text, { text, environmentNumbers, isStatement: isStatementText(text) });
    return value;
  },
  compute(index: number, value: () => string | Composed): void {
    recorder.note(index, value());
  },
};
Object.assign(globalThis, { sqlRecorder: recorder });

/** The source with a call around each text, and with the constant texts of functions once more at its end. */
function recording(source: string, file: string): string {
  const own = literals.flatMap((literal, index) => (literal.file === file ? { ...literal, index } : []));
  const marks = own.flatMap(({ from, to, index, parameters }) =>
    parameters
      ? []
      : [
          { at: from, text: `sqlRecorder.note(${index}, `, order: from - to },
          { at: to, text: ')', order: 0 },
        ],
  );
  let recorded = source;
  for (const { at, text } of marks.sort((a, b) => b.at - a.at || b.order - a.order)) {
    recorded = recorded.slice(0, at) + text + recorded.slice(at);
  }
  const constants = own
    .filter(({ isConstant, parameters }) => isConstant && !parameters)
    .map(({ from, to, index }) => `sqlRecorder.compute(${index}, () => ${source.slice(from, to)});`);
  return `${recorded}\n${constants.join('\n')}\n`;
}

registerHooks({
  load(url, context, next) {
    const file = url.startsWith(pathToFileURL(root).href) ? fileURLToPath(url).slice(root.length) : '';
    if (!file.startsWith('src/') || !file.endsWith('.ts')) return next(url, context);
    const source = recording(readFileSync(fileURLToPath(url), 'utf8'), file);
    return { format: 'module', source: stripTypeScriptTypes(source), shortCircuit: true };
  },
});

for (const file of new Set(literals.filter(({ isStatement }) => isStatement).map(({ file }) => file))) {
  await import(pathToFileURL(root + file).href);
}
const { buildStatements } = await import('./built-statements.ts');
buildStatements(ENVIRONMENT_ID);

const statements: FoundSql[] = literals.map(({ file, line, name, chunks, isStatement }, index) => ({
  file,
  line,
  name,
  chunks,
  isStatement,
  values: [...(values[index]?.values() ?? [])],
}));
const isSql = ({ isStatement, chunks, values: all }: FoundSql): boolean =>
  isStatement || chunks.some(namesTable) || all.some((value) => value.isStatement);
process.stdout.write(JSON.stringify(statements.filter(isSql)));
