import type { Decision, Inserts, Updates } from './command.ts';

/** What one step of a command writes: rows, audits, events. The receipt is not part of it. */
export type DecisionPart = Partial<Pick<Decision, 'inserts' | 'updates' | 'audits' | 'webhookEvents'>>;

/**
 * Joins what the steps of one command write. The rows of each table, the audits and the events keep the order of the
 * parts. Pure: the parts are not changed.
 *
 * The result is one decision: all of its inserts are applied before its updates, and of two updates of one row the last
 * one wins. So a later part has to be computed from the result of the earlier ones, not from the loaded state.
 */
export function mergeDecisions(...parts: readonly DecisionPart[]): Required<DecisionPart> {
  const merged: Required<DecisionPart> = { inserts: {}, updates: {}, audits: [], webhookEvents: [] };
  for (const { inserts, updates, audits, webhookEvents } of parts) {
    if (inserts) append<keyof Inserts>(merged.inserts, inserts);
    if (updates) append<keyof Updates>(merged.updates, updates);
    if (audits) merged.audits.push(...audits);
    if (webhookEvents) merged.webhookEvents.push(...webhookEvents);
  }
  return merged;
}

/** Goes through all tables of the part, so that a table that is added to the schema later needs no change here. */
function append<Table extends string>(
  merged: Partial<Record<Table, object[]>>,
  part: Partial<Record<Table, object[]>>,
): void {
  for (const table in part) {
    const rows = part[table];
    if (rows) merged[table] = merged[table]?.concat(rows) ?? rows.slice();
  }
}
