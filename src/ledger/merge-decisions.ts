import type { Decision, Inserts, Updates } from './command.ts';

/** What one step of a command writes: rows, audits, events. What the command is answered with is not among it. */
export type DecisionPart = Partial<Pick<Decision, 'inserts' | 'updates' | 'audits' | 'webhookEvents'>>;

/**
 * Joins what the steps of one command write: of every table the rows of all parts, in the order of the parts, and the
 * audits and events likewise. Pure; the parts stay as they are.
 *
 * The parts are one decision afterwards: all of its inserts are applied before its updates, and of two updates of one
 * row the last one holds. So a later part must be made from what the earlier ones leave, and not from the loaded state.
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

/** Goes through the tables that the part has, so that none is forgotten that is added one day. */
function append<Table extends string>(
  merged: Partial<Record<Table, object[]>>,
  part: Partial<Record<Table, object[]>>,
): void {
  for (const table in part) {
    const rows = part[table];
    if (rows) merged[table] = merged[table]?.concat(rows) ?? rows.slice();
  }
}
