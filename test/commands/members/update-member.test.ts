import { describe, expect, test } from '@jest/globals';
import type { UpdateMemberInput } from '../../../src/contract/generated/types.ts';
import { toTypeId } from '../../../src/ids.ts';
import { codeOf, counter, Desk, daysFrom, receiptOf, rows } from '../../support/commands/desk.ts';
import { noon } from '../../support/rules/fixtures.ts';

const answer = { noticeVersion: 'identity-2', evidence: { source: 'account page' } } as const;

test('a consent that is withdrawn is read back, and kept as a record with notice, evidence, request and time', () => {
  const desk = counter();
  desk.now = daysFrom(noon, 1);
  const receipt = receiptOf(desk.answer('opted_out'));
  const consent = { status: 'withdrawn', noticeVersion: 'identity-2', at: desk.now.toISOString() };
  expect(receipt).toEqual({
    member: {
      id: toTypeId('mem', desk.member().id),
      externalCustomerId: 'ann',
      displayName: null,
      status: 'active',
      consentStatus: 'withdrawn',
      identityStatus: 'unverified',
      consent,
    },
  });
  expect(desk.member()).toMatchObject({
    consentStatus: 'withdrawn',
    noticeVersion: 'identity-2',
    consentAt: desk.now,
  });
  const records = rows(desk.store.tables.consents).filter(({ programId }) => programId === null);
  expect(records).toEqual([
    expect.objectContaining({ status: 'granted', noticeVersion: 'identity-1', at: noon }),
    {
      id: expect.any(String),
      memberId: desk.member().id,
      programId: null,
      status: 'withdrawn',
      ...answer,
      reason: null,
      requestId: 'req_a',
      at: desk.now,
    },
  ]);
});

test('the same answer again is another record: it has evidence of its own', () => {
  const desk = counter();
  desk.answer('opted_in');
  desk.answer('opted_in', { noticeVersion: 'identity-3' });
  const records = rows(desk.store.tables.consents).filter(({ programId }) => programId === null);
  expect(records.map(({ status, noticeVersion }) => `${status} ${noticeVersion}`)).toEqual([
    'granted identity-1',
    'granted identity-2',
    'granted identity-3',
  ]);
});

test('a name changes alone, or with the consent; tags, lists and the rest of the row stay', () => {
  const desk = counter();
  desk.setMember({ tags: ['vip'], lists: ['press'], status: 'suspended' });
  const before = desk.member();
  desk.update({ displayName: 'Ann' });
  expect(desk.member()).toEqual({ ...before, displayName: 'Ann' });
  desk.answer('opted_out', { displayName: 'Anna' });
  expect(desk.member()).toEqual({
    ...before,
    displayName: 'Anna',
    consentStatus: 'withdrawn',
    noticeVersion: 'identity-2',
    consentAt: noon,
  });
});

describe('the audit trail', () => {
  test('one event with actor, target and what changed: neither the name nor the evidence', () => {
    const desk = counter();
    const before = desk.store.tables.audits.size;
    desk.answer('opted_out', { displayName: 'Ann Example', evidence: { source: 'secret page' } });
    const written = rows(desk.store.tables.audits).slice(before);
    expect(written).toEqual([
      {
        id: expect.any(String),
        action: 'member.updated',
        targetType: 'member',
        targetId: toTypeId('mem', desk.member().id),
        actorType: 'api_key',
        actorId: 'key_a',
        requestId: 'req_a',
        changes: { renamed: true, consentStatus: 'withdrawn', noticeVersion: 'identity-2' },
        at: noon,
      },
    ]);
    const trail = JSON.stringify([written, desk.store.webhookEvents]);
    expect(trail).not.toContain('Ann Example');
    expect(trail).not.toContain('secret page');
  });

  test('a name that is the same changes nothing and leaves no event; its key is kept', () => {
    const desk = counter();
    desk.update({ displayName: 'Ann' });
    const { tables } = desk.store;
    const before = { audits: tables.audits.size, consents: tables.consents.size, member: desk.member() };
    const same = desk.update({ idempotencyKey: 'same', displayName: 'Ann' });
    expect(receiptOf(same).member).toMatchObject({ displayName: 'Ann' });
    expect({ audits: tables.audits.size, consents: tables.consents.size, member: desk.member() }).toEqual(
      before,
    );
    expect(codeOf(desk.update({ idempotencyKey: 'same', displayName: 'Ann' }))).toBe('replayed');
    expect(codeOf(desk.update({ idempotencyKey: 'same', displayName: 'Anna' }))).toBe(
      'idempotency_key_reused',
    );
  });
});

describe('refused, with nothing written', () => {
  const part = (
    name: keyof typeof answer | 'consentStatus',
  ): [string, Partial<UpdateMemberInput>, string[]] => {
    const { [name]: _left, ...rest } = { consentStatus: 'opted_out' as const, ...answer };
    return [`without ${name}`, rest, [name]];
  };
  test.each<[string, Partial<UpdateMemberInput>, string[]]>([
    ['nothing', {}, []],
    ['a name that is null', { displayName: null }, ['displayName']],
    ['an answer that is null', { displayName: 'A', consentStatus: null }, ['consentStatus']],
    [
      'three nulls',
      { consentStatus: null, noticeVersion: null, evidence: null },
      ['consentStatus', 'noticeVersion', 'evidence'],
    ],
    part('consentStatus'),
    part('noticeVersion'),
    part('evidence'),
    ['a notice alone', { noticeVersion: 'v' }, ['consentStatus', 'evidence']],
  ])('%s', (_name, changes, paths) => {
    const desk = counter();
    const { tables } = desk.store;
    const everything = () => JSON.stringify(Object.values(tables).map((table) => [...table]));
    const before = everything();
    const refused = desk.update(changes);
    expect(refused).toMatchObject({ code: 'validation_failed' });
    expect(((refused as { details?: { path: string }[] }).details ?? []).map(({ path }) => path)).toEqual(
      paths,
    );
    expect(everything()).toBe(before);
  });

  test('each before the ones below it', () => {
    const desk = new Desk();
    desk.createMember();
    desk.update({ idempotencyKey: 'used', displayName: 'Ann' });
    desk.store.setLocked(true);
    const sent = { idempotencyKey: 'used', externalCustomerId: 'bob', displayName: 'Bob' };
    expect(codeOf(desk.update({ ...sent, noticeVersion: 'v' }))).toBe('validation_failed');
    expect(codeOf(desk.update(sent))).toBe('idempotency_key_reused');
    const fresh = { ...sent, idempotencyKey: 'fresh' };
    expect(codeOf(desk.update(fresh))).toBe('production_locked');
    desk.store.setLocked(false);
    expect(codeOf(desk.update(fresh))).toBe('member_not_found');
    desk.setMember({ status: 'erased' });
    expect(codeOf(desk.update({ ...fresh, externalCustomerId: 'ann' }))).toBe('member_not_found');
  });
});

test('a replay gives the first receipt, also after a later change', () => {
  const desk = counter();
  const first = desk.answer('opted_out', { idempotencyKey: 'k' });
  desk.answer('opted_in');
  expect(desk.answer('opted_out', { idempotencyKey: 'k' })).toEqual({
    receipt: receiptOf(first),
    idempotent: true,
  });
  expect(desk.member().consentStatus).toBe('granted');
});
