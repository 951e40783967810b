import { describe, expect, test } from '@jest/globals';
import {
  changeList,
  type LabelChange,
  labelMembers,
  MOST_LABELS,
  MOST_MEMBERS,
  tagMember,
} from '../../../src/commands/members/label-members.ts';
import type { Outcome } from '../../../src/ledger/command.ts';
import { codeOf, counter, type Desk, receiptOf, rows } from '../../support/commands/desk.ts';
import { mergeDesk } from '../../support/commands/merge-desk.ts';

let keys = 0;

function tag(desk: Desk, text: string, present = true, idempotencyKey = `tag-${++keys}`): Outcome {
  const input = { idempotencyKey, externalCustomerId: 'ann', tag: text };
  return desk.run(tagMember(input, present, desk.caller));
}

function list(desk: Desk, externalCustomerIds: string[], present = true, name = 'spring'): Outcome {
  const input = { idempotencyKey: `list-${++keys}`, list: name, externalCustomerIds };
  return desk.run(changeList(input, present, desk.caller));
}

const trail = (desk: Desk) =>
  rows(desk.store.tables.audits)
    .filter(({ action }) => /tagged|list/.test(action))
    .map(({ action, targetType, changes }) => [action, targetType, changes]);

describe('a tag', () => {
  test('is put on once, in order, and taken off; nothing else of the member changes', () => {
    const desk = counter();
    const before = desk.member();
    expect(receiptOf(tag(desk, 'vip'))).toMatchObject({
      member: { externalCustomerId: 'ann' },
      changed: true,
    });
    expect(receiptOf(tag(desk, 'press'))).toMatchObject({ changed: true });
    expect(receiptOf(tag(desk, 'vip'))).toMatchObject({ changed: false });
    expect(desk.member()).toEqual({ ...before, tags: ['press', 'vip'] });
    expect(receiptOf(tag(desk, 'press', false))).toMatchObject({ changed: true });
    expect(receiptOf(tag(desk, 'press', false))).toMatchObject({ changed: false });
    expect(desk.member()).toEqual({ ...before, tags: ['vip'] });
    const { id } = desk.member();
    expect(trail(desk).map(([action, type]) => [action, type])).toEqual([
      ['member.tagged', 'member'],
      ['member.tagged', 'member'],
      ['member.untagged', 'member'],
    ]);
    expect(JSON.stringify([trail(desk), rows(desk.store.tables.idempotency)])).not.toMatch(/vip|press/);
    expect(id).toBe(before.id);
  });

  test('is the same text however it is typed', () => {
    const desk = counter();
    tag(desk, ' caf\u00e9 ');
    expect(receiptOf(tag(desk, 'cafe\u0301'))).toMatchObject({ changed: false });
    expect(desk.member().tags).toEqual(['caf\u00e9']);
    for (const invalid of [' ', 'a\u200bb', 'x'.repeat(101)]) {
      expect(codeOf(tag(desk, invalid))).toBe('validation_failed');
    }
  });

  test('is refused where the member has 50, and one that it has is not', () => {
    const desk = counter();
    for (let count = 0; count < MOST_LABELS; count++) tag(desk, `t${count}`);
    expect(codeOf(tag(desk, 'one more'))).toBe('tag_limit_reached');
    expect(receiptOf(tag(desk, 't7'))).toMatchObject({ changed: false });
    expect(desk.member().tags).toHaveLength(MOST_LABELS);
    expect(receiptOf(tag(desk, 't7', false))).toMatchObject({ changed: true });
    expect(receiptOf(tag(desk, 'one more'))).toMatchObject({ changed: true });
  });

  test('of an old key does not come back', () => {
    const desk = counter();
    const first = tag(desk, 'vip', true, 'old');
    tag(desk, 'vip', false);
    expect(tag(desk, 'vip', true, 'old')).toEqual({ ...first, idempotent: true });
    expect(desk.member().tags).toEqual([]);
  });

  test('can be put on a suspended member, and on nobody who is unknown or erased', () => {
    const desk = counter();
    desk.setMember({ status: 'suspended' });
    expect(receiptOf(tag(desk, 'vip'))).toMatchObject({ changed: true });
    desk.setMember({ status: 'erased' });
    expect(codeOf(tag(desk, 'press'))).toBe('member_not_found');
    const input = { idempotencyKey: 'nobody', externalCustomerId: 'nobody', tag: 'vip' };
    expect(codeOf(desk.run(tagMember(input, true, desk.caller)))).toBe('member_not_found');
  });
});

describe('a list', () => {
  test('takes many at once, tells each outcome, and names no customer in its receipt', () => {
    const desk = counter();
    desk.createMember({ externalCustomerId: 'bob' });
    const asked = ['nobody', 'ann', 'bob', 'ann'];
    const receipt = receiptOf(list(desk, asked));
    expect(receipt).toEqual({ changed: 2, unchanged: 0, unknown: [0], full: [], member: null });
    expect(receiptOf(list(desk, ['ann', 'bob', 'bob']))).toMatchObject({ changed: 0, unchanged: 2 });
    expect(desk.member().lists).toEqual(['spring']);
    expect(receiptOf(list(desk, asked, false))).toMatchObject({ changed: 2, unknown: [0] });
    expect(desk.member().lists).toEqual([]);
    expect(trail(desk).map(([action, type]) => [action, type])).toEqual([
      ['list.members_added', 'environment'],
      ['list.members_removed', 'environment'],
    ]);
  });

  test('of one customer says whose receipt it is', () => {
    const desk = counter();
    expect(receiptOf(list(desk, ['ann']))).toMatchObject({ member: { externalCustomerId: 'ann' } });
  });

  test('of several customers says so of none, also where the first one is there', () => {
    const desk = counter();
    desk.createMember({ externalCustomerId: 'bob' });
    expect(receiptOf(list(desk, ['ann', 'bob']))).toMatchObject({ changed: 2, member: null });
    expect(receiptOf(list(desk, ['ann', 'ann']))).toMatchObject({ member: { externalCustomerId: 'ann' } });
  });

  test('counts a customer once who is named by two accounts that were merged', () => {
    const desk = mergeDesk();
    receiptOf(desk.merge('ann', 'bob'));
    const bob = () =>
      rows(desk.store.tables.members).find(({ externalCustomerId }) => externalCustomerId === 'bob');
    expect(receiptOf(list(desk, ['ann', 'bob']))).toMatchObject({ changed: 1, unchanged: 0, unknown: [] });
    expect(bob()?.lists).toEqual(['spring']);
    expect(receiptOf(list(desk, ['bob', 'ann']))).toMatchObject({ changed: 0, unchanged: 1 });
    expect(receiptOf(list(desk, ['ann', 'bob'], false))).toMatchObject({ changed: 1, unchanged: 0 });
    expect(trail(desk).map(([action, type]) => [action, type])).toEqual([
      ['list.members_added', 'member'],
      ['list.members_removed', 'member'],
    ]);
    // One name alone is a list of one, whose receipt says under which name the customer is kept.
    expect(receiptOf(list(desk, ['ann']))).toMatchObject({
      changed: 1,
      member: { externalCustomerId: 'bob' },
    });
  });

  test('leaves out members who are on 50', () => {
    const desk = counter();
    desk.createMember({ externalCustomerId: 'bob' });
    desk.setMember({ lists: Array.from({ length: MOST_LABELS }, (_, index) => `list-${index}`).sort() });
    expect(receiptOf(list(desk, ['bob', 'ann']))).toMatchObject({ changed: 1, full: [1] });
    expect(receiptOf(list(desk, ['ann'], true, 'list-7'))).toMatchObject({ changed: 0, unchanged: 1 });
  });
});

test('operators change labels also while Production is locked, and clients do not', () => {
  const desk = counter();
  desk.store.setLocked(true);
  const change: LabelChange = { kind: 'tags', labels: ['vip'], adds: true };
  expect(codeOf(tag(desk, 'vip'))).toBe('production_locked');
  expect(codeOf(list(desk, ['ann']))).toBe('production_locked');
  expect(receiptOf(desk.run(labelMembers(['ann'], change, desk.caller)))).toMatchObject({ changed: 1 });
});

test('more than a thousand members at once are a mistake of the caller', () => {
  const ids = Array.from({ length: MOST_MEMBERS + 1 }, (_, index) => `c${index}`);
  const change: LabelChange = { kind: 'lists', labels: ['spring'], adds: true };
  expect(() => labelMembers(ids, change, counter().caller)).toThrow(RangeError);
});
