import type { Connections } from '../db/pool.ts';
import { findLedgerClose } from '../queries/reports/ledger-close/find-ledger-close.ts';
import type { CloseReport } from '../queries/reports/ledger-close/report.ts';
import { isRefusal } from '../refusal.ts';
import type { Span } from './manifest.ts';

/**
 * Makes the close reports of every program of an environment over a period, month by month.
 * @param environmentId UUID
 */
export async function closesOfPeriod(
  connections: Connections,
  environmentId: string,
  period: Span,
): Promise<CloseReport[]> {
  const { rows } = await connections.query<{ id: string }>({
    name: 'programs_to_close',
    text: 'select id from programs where environment_id = $1::uuid order by id',
    values: [environmentId],
  });
  const closes: CloseReport[] = [];
  for (const { id: programId } of rows) {
    for (const { from, to } of monthsOf(period)) {
      const close = await findLedgerClose(connections, environmentId, { programId, from, to });
      if (isRefusal(close)) throw new Error(`${close.code}: ${close.message}`);
      closes.push(close);
    }
  }
  return closes;
}

/** The UTC months of a period, the first and the last of them cut off where it begins and ends. */
function monthsOf({ from, to }: Span): { from: Date; to: Date }[] {
  const months: { from: Date; to: Date }[] = [];
  const end = new Date(to);
  for (let start = new Date(from); start < end; ) {
    const next = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1));
    months.push({ from: start, to: next < end ? next : end });
    start = next;
  }
  return months;
}
