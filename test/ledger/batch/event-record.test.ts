import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newUuid, toTypeId } from '../../../src/ids.ts';
import { eventData, eventDataText, eventRecord } from '../../../src/ledger/batch/event-record.ts';

const at = new Date('2026-03-04T12:00:00Z');
const memberId = toTypeId('mem', newUuid());
const data = { programId: 'coffee-club', memberId, externalCustomerId: 'ann', points: 5 };

test('an event is read as it was reported, and stored without the name of its member', () => {
  const stored = eventRecord('id', { type: 'points.earned', data }, at);
  expect(JSON.stringify(stored)).not.toContain('ann');
  expect(eventData(stored, 'ann')).toEqual(data);
});

test('an event whose member has been erased names none', () => {
  const stored = eventRecord('id', { type: 'points.earned', data }, at);
  expect(eventData(stored, null)).toEqual({ programId: 'coffee-club', points: 5 });
});

test('an event about no member and no program has neither', () => {
  const stored = eventRecord('id', { type: 'import.completed', data: { rows: 5 } }, at);
  expect(stored).toMatchObject({ programId: null, memberId: null });
  expect(eventData(stored, null)).toEqual({ rows: 5 });
});

test('the text of stored data becomes the text of what is read, with a member or without', () => {
  const name = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(
      fc.dictionary(name, fc.jsonValue()),
      fc.option(fc.uuid()),
      fc.option(name),
      (stored, member, externalCustomerId) => {
        fc.pre(!('memberId' in stored) && !('externalCustomerId' in stored));
        const event = { id: newUuid(), programId: null, at, memberId: member };
        const read = eventData({ ...event, data: stored }, externalCustomerId);
        const text = eventDataText({ ...event, data: JSON.stringify(stored) }, externalCustomerId);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(read)));
      },
    ),
  );
});
