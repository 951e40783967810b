import { movementsOf, signed } from '../queries/reports/ledger-close/movements.ts';
import type { CloseReport } from '../queries/reports/ledger-close/report.ts';
import { KINDS } from './kinds/all-kinds.ts';
import type { Manifest, Span } from './manifest.ts';
import { type Total, Totals } from './totals.ts';

/** One program over a period: the figures of the export's files and those of the ledger close, by name. */
export interface Comparison extends Span {
  programId: string;
  figures: readonly { name: string; exported: string; closed: string }[];
  /** Each as a sentence. */
  problems: string[];
}

/** Figures by name. They add up over periods that follow each other. */
type Figures = Map<string, bigint>;

/**
 * Whether a close has figures for this kind of rows: members and lots show the present, and an audit trail no points.
 */
export function isInCloses({ kind }: Pick<Manifest, 'kind'>): boolean {
  return kind === 'postings' || kind === 'transactions';
}

/**
 * Compares the totals of an export with close reports that cover its period, each as soon as whole files end with it: a
 * folder of days is compared with every close, one file only with all of them together.
 * @param manifest whose files have been verified
 * @param closes in any order
 */
export function compareWithCloses(manifest: Manifest, closes: readonly CloseReport[]): Comparison[] {
  const byProgram = Map.groupBy(closes, ({ programId }) => programId);
  const exported = new Set(manifest.totals.map((total) => String(total.program_id)));
  return [...new Set([...exported, ...byProgram.keys()])].sort().flatMap((programId) => {
    const programCloses = (byProgram.get(programId) ?? []).sort((a, b) =>
      a.period.from < b.period.from ? -1 : 1,
    );
    const problem = coverProblem(manifest.period, programCloses);
    return problem === null
      ? compareProgram(manifest, programId, programCloses)
      : [{ programId, ...manifest.period, figures: [], problems: [problem] }];
  });
}

function coverProblem({ from, to }: Span, closes: readonly CloseReport[]): string | null {
  let end = from;
  for (const { period } of closes) {
    if (period.from !== end) return `The close reports leave out or repeat what lies at ${end}.`;
    end = period.to;
  }
  if (end === to) return null;
  return closes.length === 0
    ? 'There is no close report of it.'
    : `The close reports end at ${end}, not at ${to}.`;
}

function compareProgram(manifest: Manifest, programId: string, closes: readonly CloseReport[]): Comparison[] {
  const comparisons: Comparison[] = [];
  let from = manifest.period.from;
  let closed: Figures = new Map();
  let problems: string[] = [];
  for (const close of closes) {
    const { to } = close.period;
    addTo(closed, closedFigures(manifest, close));
    problems.push(...failedControls(close));
    if (manifest.files.some((file) => file.from < to && file.to > to)) continue;
    const exported = exportedFigures(manifest, programId, { from, to });
    const figures = [...closed].map(([name, points]) => ({
      name,
      exported: String(exported.get(name) ?? 0n),
      closed: String(points),
    }));
    for (const figure of figures) {
      if (figure.exported === figure.closed) continue;
      problems.push(`${figure.name} is ${figure.exported} in the export and ${figure.closed} in the close.`);
    }
    comparisons.push({ programId, from, to, figures, problems });
    [from, closed, problems] = [to, new Map(), []];
  }
  return comparisons;
}

function failedControls({ controls }: CloseReport): string[] {
  return controls
    .filter(({ passed, statusOnFailure }) => !passed && statusOnFailure === 'control_exception')
    .map(({ id }) => `The close's own control ${id} fails.`);
}

function closedFigures({ kind }: Manifest, { totals, rollForward }: CloseReport): Figures {
  const figures: Figures = new Map([['transactions', BigInt(totals.transactions)]]);
  if (kind === 'transactions') return figures.set('points', BigInt(totals.debits));
  figures.set('postings', BigInt(totals.postings));
  for (const { account, debits, credits } of totals.accounts) {
    figures.set(`debits of ${account}`, BigInt(debits)).set(`credits of ${account}`, BigInt(credits));
  }
  for (const { line, points } of rollForward) {
    if (line !== 'opening' && line !== 'closing') figures.set(line, BigInt(points));
  }
  return figures;
}

/** The same figures from the totals of the files of a part of the period. */
function exportedFigures(manifest: Manifest, programId: string, { from, to }: Span): Figures {
  const { totals: definition, columns } = KINDS[manifest.kind];
  const totals = new Totals(definition, columns);
  for (const file of manifest.files) {
    if (file.from >= from && file.to <= to) totals.addTotals(file.totals, file.rows);
  }
  const programTotals = totals.list().filter((total) => total.program_id === programId);
  return manifest.kind === 'transactions'
    ? figuresOfTransactions(programTotals)
    : figuresOfPostings(programTotals);
}

function figuresOfTransactions(totals: readonly Total[]): Figures {
  const figures: Figures = new Map();
  for (const { transactions_with_points: transactions = 0, points = 0 } of totals) {
    addTo(
      figures,
      new Map([
        ['transactions', BigInt(transactions)],
        ['points', BigInt(points)],
      ]),
    );
  }
  return figures;
}

function figuresOfPostings(totals: readonly Total[]): Figures {
  const figures: Figures = new Map();
  const pairs = totals.map((total) => ({
    debitAccount: String(total.debit_account),
    creditAccount: String(total.credit_account),
    eventType: String(total.event_type),
    amount: BigInt(total.points ?? 0),
  }));
  totals.forEach(({ postings = 0, transactions = 0 }, index) => {
    const { debitAccount = '', creditAccount = '', amount = 0n } = pairs[index] ?? {};
    addTo(
      figures,
      new Map([
        ['postings', BigInt(postings)],
        ['transactions', BigInt(transactions)],
        [`debits of ${debitAccount}`, amount],
        [`credits of ${creditAccount}`, amount],
      ]),
    );
  });
  for (const movement of movementsOf(pairs)) figures.set(movement.kind.name, signed(movement));
  return figures;
}

function addTo(figures: Figures, addition: Figures): void {
  for (const [name, amount] of addition) figures.set(name, (figures.get(name) ?? 0n) + amount);
}
