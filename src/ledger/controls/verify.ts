import type { ClientBase } from 'pg';
import type { ClosedDays } from '../closed-days/verified-days.ts';
import { ADJUSTMENT_CONTROLS } from './adjustment-controls.ts';
import { ROLL_UP_CONTROLS } from './closed-day-controls.ts';
import { amongComparable } from './comparable-rows.ts';
import { EARNING_CONTROLS } from './earning-controls.ts';
import { ENGAGEMENT_CONTROLS } from './engagement-controls.ts';
import { environmentsApart, inEach, together } from './environments-apart.ts';
import type { LedgerControl } from './ledger-control.ts';
import { LEDGER_CONTROLS } from './ledger-controls.ts';
import { MERGE_CONTROLS } from './merge-controls.ts';
import { PROVENANCE_CONTROLS } from './provenance-controls.ts';
import { PURCHASE_CONTROLS } from './purchase-controls.ts';
import { RECEIPT_CONTROLS } from './receipt-controls.ts';
import { REDEMPTION_CONTROLS } from './redemption-controls.ts';
import { STANDING_CONTROLS } from './standing-controls.ts';
import {
  findUnverified,
  readClosedDays,
  type UnverifiedDays,
  VERIFIED_DAY_CONTROLS,
} from './verified-days.ts';

/** The two statements of a control in a run. */
interface Statements {
  /** One row: how many items there are, their sums, and how many differ. */
  figures: string;
  /** The first of those that differ. */
  examples: string;
}

/** The statements of a control, and those that leave out what cannot be compared, and name it. */
interface Comparison extends Statements {
  ofComparable: Statements;
}

/**
 * Compares the sides of a control's rows. The figures leave out the subjects, so that Postgres makes none of these
 * texts and keeps no row: on a large ledger that is much of the time, and all of the space. Only where something
 * differs is it asked what.
 * @param sql the statement of the control. `offset 0` has each side of a row computed once
 */
const comparison = (sql: string): Comparison => ({
  figures: `select count(*)::text as checked, coalesce(sum(expected), 0)::text as expected,
    coalesce(sum(found), 0)::text as found,
    count(*) filter (where expected is distinct from found)::text as differences
  from (${sql}
    offset 0) compared`,
  examples: `select subject, expected::text, found::text
  from (${sql}
    offset 0) compared
  where expected is distinct from found order by subject limit 5`,
  ofComparable: {
    figures:
      amongComparable(`select (count(*) + (select count(*) from not_comparable))::text as checked, coalesce(sum(expected), 0)::text as expected,
    coalesce(sum(found), 0)::text as found,
    (count(*) filter (where expected is distinct from found) + (select count(*) from not_comparable))::text as differences
  from (${sql}
    offset 0) compared`),
    examples: amongComparable(`select subject, expected, found
  from (
    select 1 as place, subject, null as expected, null as found from not_comparable
    union all
    select 2, subject, expected::text, found::text
    from (${sql}
      offset 0) compared
    where expected is distinct from found
  ) differing
  order by place, subject limit 5`),
  },
});

/** In the order in which differences are best examined: a later control often fails because an earlier one does. */
export const CONTROLS: readonly LedgerControl[] = [
  ...LEDGER_CONTROLS,
  ...PURCHASE_CONTROLS,
  ...RECEIPT_CONTROLS,
  ...REDEMPTION_CONTROLS,
  ...ADJUSTMENT_CONTROLS,
  ...EARNING_CONTROLS,
  ...ENGAGEMENT_CONTROLS,
  ...MERGE_CONTROLS,
  ...PROVENANCE_CONTROLS,
  ...STANDING_CONTROLS,
  ...ROLL_UP_CONTROLS,
];

/** A control as one run asks it. */
interface Question {
  id: string;
  title: string;
  statements: Comparison;
  /** Whether they have the second parameter, the first instant that is looked at. */
  hasInstant: boolean;
}

const OVER_ALL_DAYS: readonly Question[] = CONTROLS.map(({ id, title, sql, sinceDay }) => ({
  ...{ id, title, statements: comparison(sql) },
  hasInstant: sinceDay === 'newer',
}));

const SINCE_A_DAY: readonly Question[] = [
  ...VERIFIED_DAY_CONTROLS.map(({ id, title, sql }) => ({
    id,
    title,
    statements: comparison(sql),
    hasInstant: true,
  })),
  ...CONTROLS.flatMap(({ id, title, sql, sinceDay }): Question[] => {
    if (typeof sinceDay !== 'object')
      return [{ id, title, statements: comparison(sql), hasInstant: sinceDay === 'newer' }];
    if ('leftOut' in sinceDay) return [];
    return [{ id, title, statements: comparison(sinceDay.carried), hasInstant: true }];
  }),
];

/** A control that a run after a verified day leaves out. */
export interface LeftOut {
  id: string;
  title: string;
  /** Why it cannot go by days. */
  reason: string;
}

/** The controls that a run after a verified day leaves out. */
export const LEFT_OUT: readonly LeftOut[] = CONTROLS.flatMap(({ id, title, sinceDay }) =>
  typeof sinceDay === 'object' && 'leftOut' in sinceDay ? [{ id, title, reason: sinceDay.leftOut }] : [],
);

/** One item whose sides differ. Amounts are decimal strings; null where a side has no such row. */
export interface Difference {
  /** What was compared: ids, separated by spaces. */
  subject: string;
  expected: string | null;
  found: string | null;
}

/** The result of a control. Sums are decimal strings: they may exceed 2^53. */
export interface Control {
  id: string;
  title: string;
  /** The number of compared items: profiles, lots, transactions, … */
  checked: number;
  /** The sum over all items. */
  expected: string;
  /** The sum over all items. */
  found: string;
  /** The number of items that differ. It can be above 0 although the sums agree. */
  differences: number;
  /** The first five of them. */
  examples: Difference[];
  passed: boolean;
}

interface ControlRow {
  checked: string;
  expected: string;
  found: string;
  differences: string;
}

/** What a run looks at. */
export interface VerifyOptions {
  /** UUID. Default: every environment. */
  environmentId?: string | undefined;
  /**
   * Only what is newer than this day, `YYYY-MM-DD` in UTC, with balances carried forward from it. Default: all days.
   */
  since?: string | undefined;
  /** Called before each control. */
  onProgress?(done: number, total: number, title: string): void;
}

/** What a run has found. */
export interface Verdict {
  controls: Control[];
  /** The days that were closed when it began. A run over all days that has found no difference has verified them. */
  closed: ClosedDays[];
}

/**
 * Computes balances, lots, receipts and the programs' roll-forward from the postings and compares them with the tables.
 * Everything is read in one snapshot, so that it can run beside a server under load; Postgres compares, so that this
 * process has a row of each control and no more.
 * @param client a connection outside of a transaction, without a time limit on the client's side
 * @returns the environments whose days until `since` have not been verified, where there are any: then nothing was
 *   examined
 */
export async function examineLedger(
  client: ClientBase,
  { environmentId, since, onProgress = () => {} }: VerifyOptions,
): Promise<Verdict | { unverified: UnverifiedDays[] }> {
  const controls: Control[] = [];
  await client.query('begin isolation level repeatable read read only');
  try {
    // The time limits of the server's connections are meant for requests; this reads everything.
    await client.query('set local statement_timeout = 0');
    await client.query('set local idle_in_transaction_session_timeout = 0');
    await client.query("set local work_mem = '64MB'");
    await client.query('set local jit = off');
    const environments = await environmentsApart(client, environmentId ?? null);
    const unverified =
      since === undefined ? [] : await inEach(environments, (one) => findUnverified(client, one, since));
    if (unverified.length > 0) {
      await client.query('commit');
      return { unverified };
    }
    // Over all days whole tables are joined. Right after an import they have no statistics: the planner then takes
    // nested loops for cheap, and those have taken minutes. For what is newer they are right: it is looked up in
    // indexes.
    if (since === undefined) await client.query('set local enable_nestloop = off');
    const closed = await inEach(environments, (one) => readClosedDays(client, one));
    const questions = since === undefined ? OVER_ALL_DAYS : SINCE_A_DAY;
    const from = since === undefined ? null : instantAfter(since);
    for (const [index, question] of questions.entries()) {
      onProgress(index, questions.length, question.title);
      const findings = await inEach(environments, async (one) => [await ask(client, question, one, from)]);
      controls.push({ id: question.id, title: question.title, ...(await together(client, findings)) });
    }
    await client.query('commit');
    return { controls, closed };
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** Examines all days (`examineLedger`). @param environmentId UUID. Default: every environment */
export async function verifyLedger(client: ClientBase, environmentId?: string): Promise<Control[]> {
  const verdict = await examineLedger(client, { environmentId });
  if ('unverified' in verdict) throw new Error('a run over all days needs no verified day');
  return verdict.controls;
}

/** The first instant after a day. */
function instantAfter(day: string): Date {
  const instant = new Date(`${day}T00:00:00Z`);
  instant.setUTCDate(instant.getUTCDate() + 1);
  return instant;
}

/**
 * Asks a control. Where something is stored that cannot be compared, such as a text in the place of a list, the control
 * names it and compares the rest. Should Postgres fail on that too, or Citus not take it, the control has failed, and
 * the others are asked nevertheless.
 */
async function ask(
  client: ClientBase,
  question: Question,
  environmentId: string | null,
  from: Date | null,
): Promise<Control> {
  const { id, title, statements, hasInstant } = question;
  const values = hasInstant ? [environmentId, from] : [environmentId];
  await client.query('savepoint control');
  let failure = '';
  for (const each of [statements, statements.ofComparable]) {
    try {
      return { id, title, ...(await compare(client, each, values)) };
    } catch (error) {
      if (!isOfClass(error, DATA_EXCEPTION) && !(failure && isOfClass(error, NOT_SUPPORTED))) throw error;
      failure ||= error.message;
      await client.query('rollback to savepoint control');
    }
  }
  const subject = `something stored cannot be compared: ${failure}`;
  const nothing = { checked: 0, expected: '0', found: '0' };
  const examples = [{ subject, expected: null, found: null }];
  return { id, title, ...nothing, differences: 1, examples, passed: false };
}

/**
 * Classes of SQLSTATE: Postgres cannot do with a value what a statement says; it, or Citus, does not do that at all.
 */
const DATA_EXCEPTION = '22';
const NOT_SUPPORTED = '0A';

function isOfClass(error: unknown, sqlstateClass: string): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith(sqlstateClass);
}

async function compare(
  client: ClientBase,
  { figures, examples }: Statements,
  values: readonly unknown[],
): Promise<Omit<Control, 'id' | 'title'>> {
  const { rows } = await client.query<ControlRow>(figures, [...values]);
  const row = rows[0];
  if (!row) throw new Error('a control gave no row');
  const differences = Number(row.differences);
  return {
    checked: Number(row.checked),
    expected: row.expected,
    found: row.found,
    differences,
    examples: differences === 0 ? [] : (await client.query<Difference>(examples, [...values])).rows,
    passed: differences === 0,
  };
}
