import { arrayLiteral } from '../../db/array-literal.ts';
import { OF_MEMBERS } from './handling.ts';
import { MEMBER_WANTED, ofMember } from './members.ts';
import { updatedTable } from './table.ts';

export interface ChoiceGrantRecord {
  id: string;
  programId: string;
  memberId: string;
  choiceSetId: string;
  /**
   * The milestone, which grants once: `tier:<id>` or `challenge:<id>#<completion>`, with `@<start>` of a window; or
   * `merge:<grant>` for what was left of another account's grant, `unmerged:<grant>` for a tier of an account given
   * back.
   */
  grantedBy: string;
  choices: number;
  remaining: number;
  state: 'open' | 'exhausted' | 'expired';
  grantedAt: Date;
  expiresAt: Date | null;
}

/** A member's open grants of choices in every program, with their claims. */
export interface ChoiceGrantsSubject {
  kind: 'choiceGrants';
  externalCustomerId: string;
}

/** SQL: all grants of the member `m`. The state is not part of it, so that the planner uses the index by member. */
export const GRANTS_OF_MEMBER = `
        select * from choice_grants where environment_id = $1::uuid and member_id = m.id offset 0`;

/** The same for tables in memory. */
export const grantsOfMember = { properties: ['memberId'] } as const;

export const choiceGrants = updatedTable<ChoiceGrantRecord, ChoiceGrantsSubject>({
  name: 'choice_grants',
  handling: {
    owner: { members: ['member_id'] },
    exported: { ids: { member_id: 'mem' }, order: ['granted_at', 'id'] },
    erasure: 'nothing',
    ...OF_MEMBERS,
  },
  columns: {
    id: 'uuid',
    programId: 'text',
    memberId: 'uuid',
    choiceSetId: 'text',
    grantedBy: 'text',
    choices: 'bigint',
    remaining: 'bigint',
    state: 'text',
    grantedAt: 'timestamptz',
    expiresAt: 'timestamptz',
  },
  primaryKey: ['id'],
  constant: ['programId', 'memberId', 'choiceSetId', 'choices', 'grantedAt', 'expiresAt'],
  // A milestone grants once: where a member reaches a tier again, the earlier grant stays as it is.
  insertedOnce: {
    properties: ['memberId', 'programId', 'choiceSetId', 'grantedBy'],
    where: 'member_id is not null',
  },
  checks: {
    choice_grants_choices_check: (row) => row.choices > 0,
    choice_grants_remaining_check: (row) => row.remaining >= 0 && row.remaining <= row.choices,
    choice_grants_state_check: (row) => (row.state === 'exhausted') === (row.remaining === 0),
  },
  lookUps: [
    {
      // Open grants; and in any state those of tiers, because a tier grants once, and those that came with a merge.
      name: 'load_choice_grants',
      keyProperties: { choiceGrants: ['externalCustomerId'] },
      text: (select) => `select ${select('g')}
      from unnest($2::text[]) as wanted(external_customer_id)
      cross join lateral (${MEMBER_WANTED}) m
      cross join lateral (${GRANTS_OF_MEMBER}) g
      where g.state = 'open' or starts_with(g.granted_by, 'tier:') or starts_with(g.granted_by, 'merge:')`,
      values: (wanted) => [arrayLiteral(wanted.map(({ externalCustomerId }) => externalCustomerId))],
      find: (stored, { externalCustomerId }): ChoiceGrantRecord[] =>
        ofMember(stored, choiceGrants, grantsOfMember, externalCustomerId).filter(
          ({ state, grantedBy }) => state === 'open' || /^(tier|merge):/.test(grantedBy),
        ),
    },
  ],
});
