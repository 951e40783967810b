import { expect, test } from '@jest/globals';
import { validateInput } from '../../src/graphql/schema/validate-input.ts';
import { memberRows } from '../../src/import/members.ts';

const rows = memberRows(
  {
    door: { submit: () => Promise.reject(new Error('nothing is submitted')) },
    caller: { environmentId: 'e', actor: { type: 'operator', id: 'ada' }, requestId: 'r' },
    programId: null,
    validate: validateInput,
    normalizeTag: (text) => text.trim() || null,
    mostTags: 2,
    tiersOf: async () => null,
  },
  { membersCreated: 0 },
);

/** The tags of a row, or the message why it is no member. */
function tagsOf(tags: string): readonly string[] | string {
  const read = rows.read({
    external_customer_id: 'ann',
    consent_status: 'opted_in',
    notice_version: 'v1',
    tags,
  });
  return read.ok ? read.input.tags : read.message;
}

test('a row has as many tags as a member may have, each counted once, and not one more', () => {
  expect(tagsOf('')).toEqual([]);
  expect(tagsOf('vip;press')).toEqual(['press', 'vip']);
  expect(tagsOf('vip; press;vip')).toEqual(['press', 'vip']);
  expect(tagsOf('vip;press;staff')).toContain('must be at most 2 tags');
});

test('a tag that is empty makes the row invalid', () => {
  expect(tagsOf('vip;')).toContain('must be at most 2 tags');
});
