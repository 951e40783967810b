import { arrayLiteral } from '../../db/array-literal.ts';
import { type ChoiceGrantsSubject, choiceGrants, GRANTS_OF_MEMBER, grantsOfMember } from './choice-grants.ts';
import { OF_MEMBERS } from './handling.ts';
import { MEMBER_WANTED, ofMember } from './members.ts';
import { insertedTable } from './table.ts';

export interface ChoiceClaimRecord {
  id: string;
  sourceReference: string;
  grantId: string;
  programId: string;
  memberId: string;
  choiceSetId: string;
  rewardId: string;
  claimedAt: Date;
  receipt: object;
}

/** A claim, by its reference. */
export interface ChoiceClaimSubject {
  kind: 'choiceClaim';
  sourceReference: string;
}

const ofGrant = { properties: ['grantId'] } as const;

export const choiceClaims = insertedTable<ChoiceClaimRecord, ChoiceClaimSubject | ChoiceGrantsSubject>({
  name: 'choice_claims',
  handling: {
    owner: { members: ['member_id'] },
    exported: { ids: { id: 'chc', member_id: 'mem' }, order: ['claimed_at', 'id'], audited: true },
    erasure: { columns: { source_reference: 'reference' }, usedOnce: 'choiceClaim' },
    ...OF_MEMBERS,
  },
  columns: {
    id: 'uuid',
    sourceReference: 'text',
    grantId: 'uuid',
    programId: 'text',
    memberId: 'uuid',
    choiceSetId: 'text',
    rewardId: 'text',
    claimedAt: 'timestamptz',
    receipt: 'json',
  },
  primaryKey: ['id'],
  knownBy: { properties: ['sourceReference'], constraint: 'choice_claims_source_reference_key' },
  references: [
    { to: 'choice_grants', constraint: 'choice_claims_grant_fkey', properties: { id: 'grantId' } },
  ],
  lookUps: [
    {
      name: 'load_claims_of_grants',
      keyProperties: { choiceGrants: ['externalCustomerId'] },
      text: (select) => `select ${select('c')}
      from unnest($2::text[]) as wanted(external_customer_id)
      cross join lateral (${MEMBER_WANTED}) m
      cross join lateral (${GRANTS_OF_MEMBER}) g
      cross join lateral (
        select * from choice_claims
        where environment_id = $1::uuid and grant_id = g.id
        offset 0
      ) c
      where g.state = 'open'`,
      values: (keys: readonly ChoiceGrantsSubject[]) => [
        arrayLiteral(keys.map(({ externalCustomerId }) => externalCustomerId)),
      ],
      find: (stored, { externalCustomerId }: ChoiceGrantsSubject): ChoiceClaimRecord[] =>
        ofMember(stored, choiceGrants, grantsOfMember, externalCustomerId)
          .filter(({ state }) => state === 'open')
          .flatMap(({ id }) => stored(choiceClaims).by(ofGrant, id)),
    },
    { name: 'load_choice_claims', keyProperties: { choiceClaim: ['sourceReference'] } },
  ],
});
