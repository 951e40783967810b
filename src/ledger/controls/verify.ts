import type { ClientBase } from 'pg';
import { ADJUSTMENT_CONTROLS } from './adjustment-controls.ts';
import { ROLL_UP_CONTROLS } from './closed-day-controls.ts';
import { EARNING_CONTROLS } from './earning-controls.ts';
import { ENGAGEMENT_CONTROLS } from './engagement-controls.ts';
import { LEDGER_CONTROLS } from './ledger-controls.ts';
import { MERGE_CONTROLS } from './merge-controls.ts';
import { REDEMPTION_CONTROLS } from './redemption-controls.ts';

/** Compares the sides of a control's rows. @param sql the statement of the control */
const comparison = (sql: string): string =>
  `with compared as materialized (${sql}), differing as (
    select subject, expected::text, found::text from compared
    where expected is distinct from found order by subject limit 5
  )
  select count(*)::text as checked, coalesce(sum(expected), 0)::text as expected,
    coalesce(sum(found), 0)::text as found,
    count(*) filter (where expected is distinct from found)::text as differences,
    (select json_agg(differing) from differing) as examples
  from compared`;

const CONTROLS = [
  ...LEDGER_CONTROLS,
  ...REDEMPTION_CONTROLS,
  ...ADJUSTMENT_CONTROLS,
  ...EARNING_CONTROLS,
  ...ENGAGEMENT_CONTROLS,
  ...MERGE_CONTROLS,
  ...ROLL_UP_CONTROLS,
].map(({ id, title, sql }) => ({ id, title, text: comparison(sql) }));

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
  examples: Difference[] | null;
}

/**
 * Computes balances, lots, receipts and the programs' roll-forward from the postings and compares them with the tables.
 * Everything is read in one snapshot, so that it can run beside a server under load.
 * @param client a connection outside of a transaction, without a time limit on the client's side
 * @param environmentId UUID. Default: every environment
 * @param onProgress called before each control
 */
export async function verifyLedger(
  client: ClientBase,
  environmentId?: string,
  onProgress: (done: number, total: number, title: string) => void = () => {},
): Promise<Control[]> {
  const controls: Control[] = [];
  await client.query('begin isolation level repeatable read read only');
  try {
    // The time limits of the server's connections are meant for requests; this reads everything.
    await client.query('set local statement_timeout = 0');
    await client.query('set local idle_in_transaction_session_timeout = 0');
    // Whole tables are joined. Right after an import they have no statistics: the planner then takes nested loops for
    // cheap, and those have taken minutes.
    await client.query('set local enable_nestloop = off');
    await client.query("set local work_mem = '64MB'");
    await client.query('set local jit = off');
    for (const [index, control] of CONTROLS.entries()) {
      onProgress(index, CONTROLS.length, control.title);
      controls.push(await runControl(client, control, environmentId ?? null));
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
  return controls;
}

async function runControl(
  client: ClientBase,
  control: (typeof CONTROLS)[number],
  environmentId: string | null,
): Promise<Control> {
  const { rows } = await client.query<ControlRow>(control.text, [environmentId]);
  const row = rows[0];
  if (!row) throw new Error(`control ${control.id} gave no row`);
  const differences = Number(row.differences);
  return {
    id: control.id,
    title: control.title,
    checked: Number(row.checked),
    expected: row.expected,
    found: row.found,
    differences,
    examples: row.examples ?? [],
    passed: differences === 0,
  };
}
