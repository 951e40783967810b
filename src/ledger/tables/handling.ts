import type { IdPrefix } from '../../ids.ts';
import type { ReferenceKind } from './erased-references.ts';

/** Whose the rows of a table are. */
export type Owner =
  /** The merchant's, or of all members together. */
  | 'environment'
  /** The service's: the table has no environment. */
  | 'service'
  /** Of the members whose ids (UUID) are in these columns. */
  | { members: readonly string[] }
  /**
   * Of the owner of a row of another table: `on` is SQL that compares columns of the two, with the names of both
   * tables.
   */
  | { through: string; on: string };

/** How the export of a member shows the rows of a table. */
export interface Exported {
  /** The property of the export. Default: the name of the table in decisions. */
  as?: string;
  /** Columns with ids, by the prefix that the API shows them with. Other UUIDs stay as they are. */
  ids: Readonly<Record<string, IdPrefix>>;
  /** Columns that rows are ordered by, oldest first where they have a time; those of other tables with their table. */
  order: readonly string[];
  /**
   * SQL: further columns, with what has to be joined to the table for them. A row with `of_another_order` is about the
   * order of another member: it is shown without the references of that order.
   */
  more?: { columns: string; join?: string };
  /** SQL: a condition that a row satisfies to be shown. `$2` is the id of the member. */
  only?: string;
  /** Whether audit events have a row's id as their target. */
  audited?: true;
}

/** What becomes of a column when a member is erased. */
export type ErasedColumn =
  /** Null. */
  | 'removed'
  /** `{}` where there is something. */
  | 'emptied'
  /** A fixed word where there is a sentence that a person typed. */
  | 'sentence'
  /** A merchant's name of a thing: without the member's id in it. */
  | 'reference';

/** What the erasure of a member does to its rows. */
export type Erasure =
  /** Nothing in them tells of a person but the member's id, which stays. */
  | 'nothing'
  /** A step of its own (`src/erasure/erasure-steps.ts`). */
  | 'own_step'
  | {
      columns: Readonly<Record<string, ErasedColumn>>;
      /** Where the rows have a source_reference that can be used once: what it names. */
      usedOnce?: ReferenceKind;
    };

/** What becomes of the rows of a table outside of commands. Columns have their names in the migrations. */
export interface Handling {
  owner: Owner;
  /** How a member's export shows the rows: not at all, with the reason; or found by the ids that they name. */
  exported: Exported | 'by_ids' | { none: string };
  erasure: Erasure;
  /** What a reset of a Sandbox does: it keeps how the environment is set up, and the audit trail with its seals. */
  reset: 'emptied' | 'kept';
  /** Whether a clone of an environment has the rows too. */
  clone: 'copied' | 'left';
}

/** The most common case: rows that the ledger keeps about members, which a reset removes and a clone has not. */
export const OF_MEMBERS = { reset: 'emptied', clone: 'left' } as const;

/**
 * SQL: whether the member has no order of this reference. Rewards for a referral name the order of the referred member.
 */
export const isOrderOfAnother = (reference: string): string =>
  `not exists (
        select from orders o
        where o.environment_id = $1::uuid and o.source_reference = ${reference} and o.member_id = $2::uuid
      )`;
