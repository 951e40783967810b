import type { ReferenceKind } from '../ledger/tables/erased-references.ts';
import { storedData, wholeData } from '../ledger/tables/event-data.ts';
import type { EventRecord } from '../ledger/tables/events.ts';
import { ERASED, type Forgotten } from './forgotten.ts';

/** The columns of a row that hold what was typed, by their names. */
type Row = Record<string, unknown>;

/** A table with a UUID as its key, in which texts stand that were typed about members. */
export interface ErasedTable {
  name: string;
  /** The columns that change, with their SQL types. */
  columns: Readonly<Record<string, 'text' | 'json'>>;
  /** Further columns that `change` needs. */
  needs?: readonly string[];
  /** Where its rows have a source_reference that can be used once: what it names. */
  usedOnce?: ReferenceKind;
  /** SQL: what has to be joined to know whose a row of `page` is, and the id of that member. */
  owner: { join: string; memberId: string };
  /** Pure and idempotent. @param id of the row, UUID */
  change(row: Row, forgotten: Forgotten, id: string): Row;
}

const itself = { join: '', memberId: 'page.member_id' };

export const EVENTS: ErasedTable = {
  name: 'events',
  columns: { data: 'json' },
  needs: ['type', 'program_id', 'at'],
  owner: itself,
  change: ({ type, program_id: programId, at, data }, forgotten, id) => {
    const event = { id, type, programId, at, data } as EventRecord;
    return { data: data && storedData({ ...event, data: forgotten.json(wholeData(event)) }) };
  },
};

/** Every such table but transactions with their orders and returns, and idempotency keys. */
export const ERASED_TABLES: readonly ErasedTable[] = [
  {
    name: 'consent_records',
    columns: { evidence: 'json', reason: 'text' },
    owner: itself,
    change: () => ({ evidence: null, reason: null }),
  },
  {
    name: 'adjustments',
    columns: { reason: 'text', evidence: 'json', decision_reason: 'text' },
    owner: itself,
    change: ({ decision_reason }) => ({
      reason: ERASED,
      evidence: {},
      decision_reason: sentence(decision_reason),
    }),
  },
  {
    name: 'member_merges',
    columns: {
      reason: 'text',
      evidence: 'json',
      decision_reason: 'text',
      unmerge_reason: 'text',
      unmerge_decision_reason: 'text',
    },
    // The texts are about both members: whichever is erased first takes them away.
    owner: {
      join: '',
      memberId: 'case when $3::uuid in (page.source_member_id, page.target_member_id) then $3::uuid end',
    },
    change: ({ decision_reason, unmerge_reason, unmerge_decision_reason }) => ({
      reason: ERASED,
      evidence: {},
      decision_reason: sentence(decision_reason),
      unmerge_reason: sentence(unmerge_reason),
      unmerge_decision_reason: sentence(unmerge_decision_reason),
    }),
  },
  {
    name: 'redemption_quotes',
    columns: { source_reference: 'text' },
    owner: itself,
    change: references,
  },
  {
    name: 'redemption_reservations',
    columns: {
      source_reference: 'text',
      authorization_reference: 'text',
      fulfillment_reference: 'text',
      reason: 'text',
      cancellation_evidence: 'json',
    },
    owner: itself,
    change: ({ reason, cancellation_evidence, ...named }, forgotten) => ({
      ...references(named, forgotten),
      reason: sentence(reason),
      cancellation_evidence: cancellation_evidence === null ? null : {},
    }),
  },
  {
    name: 'redemption_disputes',
    columns: { reason: 'text', evidence: 'json', resolution: 'text' },
    owner: {
      join: 'left join redemption_reservations r on r.environment_id = $1::uuid and r.id = page.reservation_id',
      memberId: 'r.member_id',
    },
    change: ({ resolution }) => ({ reason: ERASED, evidence: null, resolution: sentence(resolution) }),
  },
  {
    name: 'custom_events',
    usedOnce: 'customEvent',
    columns: { source_reference: 'text', attributes: 'json' },
    owner: itself,
    change: ({ source_reference }, forgotten) => ({
      ...references({ source_reference }, forgotten),
      attributes: null,
    }),
  },
  {
    name: 'choice_claims',
    usedOnce: 'choiceClaim',
    columns: { source_reference: 'text' },
    owner: itself,
    change: references,
  },
  EVENTS,
];

function references(row: Row, forgotten: Forgotten): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'string' ? forgotten.reference(value) : value,
    ]),
  );
}

function sentence(value: unknown): string | null {
  return value === null ? null : ERASED;
}
