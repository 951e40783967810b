import { expect, test } from '@jest/globals';
import { WorkingSet } from '../../../src/ledger/batch/working-set.ts';
import type { ChoiceGrantRecord } from '../../../src/ledger/tables/choice-grants.ts';

const at = new Date('2026-03-04T12:00:00Z');
const grant: ChoiceGrantRecord = {
  id: 'first',
  programId: 'coffee-club',
  memberId: 'ann-id',
  choiceSetId: 'gifts',
  grantedBy: 'tier:gold',
  choices: 1,
  remaining: 1,
  state: 'open',
  grantedAt: at,
  expiresAt: null,
};
const nothing = { receipt: {}, updates: {}, audits: [], webhookEvents: [] };

test.each<[string, Partial<ChoiceGrantRecord>, string[]]>([
  ['is open', {}, []],
  ['is used up', { state: 'exhausted', remaining: 0 }, []],
  ['has expired', { state: 'expired' }, []],
  ['is of another member', { memberId: 'ben-id' }, ['second']],
  ['is of another set', { choiceSetId: 'perks' }, ['second']],
  ['is of another tier', { grantedBy: 'tier:silver' }, ['second']],
  ['is of another program', { programId: 'tea-club' }, ['second']],
])('a grant by a tier, where the one before %s', (_what, before, inserted) => {
  const working = new WorkingSet(
    { id: 'env', kind: 'sandbox', locked: false, revision: 1 },
    new Map(),
    () => 'id',
  );
  working.rows.choiceGrants.load({ ...grant, ...before });
  working.apply({ ...nothing, inserts: { choiceGrants: [{ ...grant, id: 'second' }] } }, new Date(0));
  expect([...working.rows.choiceGrants.inserted.keys()]).toEqual(inserted);
});

test('a tier that is come to twice in one batch grants once', () => {
  const working = new WorkingSet(
    { id: 'env', kind: 'sandbox', locked: false, revision: 1 },
    new Map(),
    () => 'id',
  );
  for (const id of ['first', 'second']) {
    working.apply({ ...nothing, inserts: { choiceGrants: [{ ...grant, id }] } }, new Date(0));
  }
  expect([...working.rows.choiceGrants.inserted.keys()]).toEqual(['first']);
});
