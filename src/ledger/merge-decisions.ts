import type { Decision } from './command.ts';

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
  return {
    inserts: mergeTables(parts.map(({ inserts = {} }) => inserts)),
    updates: mergeTables(parts.map(({ updates = {} }) => updates)),
    audits: parts.flatMap(({ audits = [] }) => audits),
    webhookEvents: parts.flatMap(({ webhookEvents = [] }) => webhookEvents),
  };
}

type Tables<Changes> = { [Table in keyof Changes]?: object[] | undefined };

/** Goes through the tables that the parts have, so that none is forgotten that is added one day. */
function mergeTables<Changes extends Tables<Changes>>(parts: readonly Changes[]): Changes {
  const merged: { [Table in keyof Changes]?: object[] } = {};
  for (const part of parts) {
    for (const table of Object.keys(part) as (keyof Changes)[]) {
      merged[table] = [...(merged[table] ?? []), ...(part[table] ?? [])];
    }
  }
  return merged as Changes;
}
