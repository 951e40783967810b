import { expect, test } from '@jest/globals';
import { createMember } from '../../../src/commands/members/create-member.ts';
import { fromTypeId, toTypeId } from '../../../src/ids.ts';
import { codeOf, Desk, receiptOf, rows } from '../../support/commands/desk.ts';
import { noon } from '../../support/rules/fixtures.ts';

test('the receipt is the member as reads show it', () => {
  const desk = new Desk();
  const receipt = receiptOf(desk.createMember({ displayName: 'Ann', email: 'ann@example.com' }));
  expect(receipt).toEqual({
    member: {
      id: toTypeId('mem', desk.member().id),
      externalCustomerId: 'ann',
      displayName: 'Ann',
      status: 'active',
      consentStatus: 'granted',
      identityStatus: 'unverified',
      consent: { status: 'granted', noticeVersion: 'identity-1', at: noon.toISOString() },
    },
  });
});

test('no profile and no account come with a member, and the address is kept nowhere', () => {
  const desk = new Desk();
  desk.createMember({ email: 'ann@example.com' });
  const { tables, webhookEvents } = desk.store;
  expect(tables.profiles.size + tables.transactions.size).toBe(0);
  const memberId = toTypeId('mem', desk.member().id);
  const state = { externalCustomerId: 'ann', status: 'active', consentStatus: 'granted' };
  expect(webhookEvents).toEqual([{ type: 'member.created', data: { memberId, ...state } }]);
  const everything = [tables.members, tables.consents, tables.audits, tables.idempotency].flatMap((table) => [
    ...table.values(),
  ]);
  expect(JSON.stringify(everything)).not.toContain('example.com');
});

test.each([
  ['opted_in', 'granted'],
  ['opted_out', 'withdrawn'],
] as const)('consent %s is kept as %s, with the notice and without a program', (sent, kept) => {
  const desk = new Desk();
  const receipt = receiptOf(desk.createMember({ consentStatus: sent }));
  expect(receipt.member).toMatchObject({ consentStatus: kept });
  expect([...desk.store.tables.consents.values()]).toEqual([
    expect.objectContaining({
      memberId: desk.member().id,
      programId: null,
      status: kept,
      noticeVersion: 'identity-1',
      requestId: 'req_a',
      at: noon,
    }),
  ]);
});

test('the audit event says who did what to whom', () => {
  const desk = new Desk();
  desk.createMember({ displayName: 'Ann' });
  const [audit, ...others] = desk.store.tables.audits.values();
  expect(others).toEqual([]);
  expect(audit).toMatchObject({
    action: 'member.created',
    targetType: 'member',
    actorType: 'api_key',
    actorId: 'key_a',
    requestId: 'req_a',
    at: noon,
    changes: { consentStatus: 'granted', noticeVersion: 'identity-1' },
  });
  expect(fromTypeId('mem', audit?.targetId ?? '')).toBe(desk.member().id);
});

test('refusals, each before the ones below it', () => {
  const desk = new Desk();
  desk.createMember({ idempotencyKey: 'used', externalCustomerId: 'bob' });
  desk.createMember();
  desk.store.setLocked(true);
  const input = desk.memberInput({ idempotencyKey: 'used', programIds: ['coffee-club'] });
  expect(codeOf(desk.createMember(input))).toBe('explicit_program_enrollment_required');
  const withoutPrograms = { ...input, programIds: [] };
  expect(codeOf(desk.createMember(withoutPrograms))).toBe('idempotency_key_reused');
  const fresh = { ...withoutPrograms, idempotencyKey: 'fresh' };
  expect(codeOf(desk.createMember(fresh))).toBe('production_locked');
  desk.store.setLocked(false);
  expect(codeOf(desk.createMember(fresh))).toBe('member_exists');
  expect(codeOf(desk.createMember({ ...fresh, externalCustomerId: 'cyd' }))).toBe('done');
});

test('nothing is left of a refusal, so its key may succeed later', () => {
  const desk = new Desk();
  desk.store.setLocked(true);
  expect(codeOf(desk.createMember({ idempotencyKey: 'k' }))).toBe('production_locked');
  const { tables } = desk.store;
  expect(tables.members.size + tables.consents.size + tables.audits.size + tables.idempotency.size).toBe(0);
  desk.store.setLocked(false);
  expect(codeOf(desk.createMember({ idempotencyKey: 'k' }))).toBe('done');
});

test('a replay gives the first receipt, also while Production is locked, and changes nothing', () => {
  const desk = new Desk();
  const input = desk.memberInput();
  const first = desk.createMember(input);
  desk.store.setLocked(true);
  desk.now = new Date(noon.getTime() + 60_000);
  expect(desk.createMember(input)).toEqual({ receipt: receiptOf(first), idempotent: true });
  expect(desk.store.tables.audits.size).toBe(1);
});

test('a key counts for its own operation alone', () => {
  const desk = new Desk();
  desk.createMember({ idempotencyKey: 'k' });
  expect(codeOf(desk.enroll({ idempotencyKey: 'k' }))).toBe('done');
});

test('a member may have tags from the beginning, which the trail does not repeat', () => {
  const desk = new Desk();
  const command = createMember(desk.memberInput(), desk.caller, { tags: ['press', 'vip'] });
  desk.run(command);
  expect(desk.member().tags).toEqual(['press', 'vip']);
  expect(JSON.stringify(rows(desk.store.tables.audits))).not.toContain('vip');
});
