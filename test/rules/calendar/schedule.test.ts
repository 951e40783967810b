import { describe, expect, test } from '@jest/globals';
import type { Schedule } from '../../../src/programs/document/campaign-document.ts';
import { compileSchedule } from '../../../src/rules/calendar/schedule.ts';

function open(schedule: Schedule | undefined, at: string, timeZone = 'UTC'): boolean {
  return compileSchedule(schedule, timeZone)(new Date(at)) === null;
}

describe('a schedule', () => {
  test('that is absent or says nothing always holds', () => {
    expect(open(undefined, '2026-03-04T12:00:00Z')).toBe(true);
    expect(open({}, '2026-03-04T12:00:00Z')).toBe(true);
  });

  test.each([
    ['2026-03-03T22:59:59.999Z', false],
    ['2026-03-03T23:00:00.000Z', true],
    ['2026-03-31T21:59:59.999Z', true],
    ['2026-03-31T22:00:00.000Z', false],
  ])('with from and until holds from the first, until before the second: %s', (at, expected) => {
    const schedule = { from: '2026-03-04T00:00:00+01:00', until: '2026-04-01T00:00:00+02:00' };
    expect(open(schedule, at)).toBe(expected);
  });

  test.each([
    ['2026-03-06T07:59:59Z', false],
    ['2026-03-06T08:00:00Z', true],
    ['2026-03-06T10:59:59Z', true],
    ['2026-03-06T11:00:00Z', false],
  ])('with hours holds from the first, until before the second: %s', (at, expected) => {
    expect(open({ hours: { from: 8, to: 11 } }, at)).toBe(expected);
  });

  test.each([
    // 6 March 2026 is a Friday.
    ['2026-03-06T01:00:00Z', false],
    ['2026-03-06T21:59:59Z', false],
    ['2026-03-06T22:00:00Z', true],
    ['2026-03-07T01:59:59Z', true],
    ['2026-03-07T02:00:00Z', false],
    ['2026-03-07T22:00:00Z', false],
  ])('over midnight belongs to the day on which it begins: %s', (at, expected) => {
    expect(open({ daysOfWeek: ['friday'], hours: { from: 22, to: 2 } }, at)).toBe(expected);
  });

  test('over midnight from Saturday ends on Sunday', () => {
    const schedule = { daysOfWeek: ['saturday'], hours: { from: 22, to: 2 } };
    expect(open(schedule, '2026-03-08T01:00:00Z')).toBe(true);
    expect(open(schedule, '2026-03-09T01:00:00Z')).toBe(false);
  });

  test.each([
    ['2026-03-07T00:00:00Z', true],
    ['2026-03-08T23:59:59Z', true],
    ['2026-03-09T00:00:00Z', false],
  ])('with days holds on those alone: %s', (at, expected) => {
    expect(open({ daysOfWeek: ['saturday', 'sunday'] }, at)).toBe(expected);
  });

  test('reads days and hours off the clock of its own zone, else of the document', () => {
    // 03:30 of Saturday in UTC is 22:30 of Friday in New York and 12:30 of Saturday in Tokyo.
    const at = '2026-03-07T03:30:00Z';
    const friday = { daysOfWeek: ['friday'], hours: { from: 22, to: 23 } };
    expect(open(friday, at)).toBe(false);
    expect(open(friday, at, 'America/New_York')).toBe(true);
    expect(open({ ...friday, timeZone: 'Asia/Tokyo' }, at, 'America/New_York')).toBe(false);
    const noon = { daysOfWeek: ['saturday'], hours: { from: 12, to: 13 }, timeZone: 'Asia/Tokyo' };
    expect(open(noon, at, 'America/New_York')).toBe(true);
  });

  test('follows the clock when it changes', () => {
    // In New York the clock skips 2 o'clock on 8 March 2026 and shows 1 o'clock twice on 1 November.
    const two = { hours: { from: 2, to: 3 }, timeZone: 'America/New_York' };
    expect(open(two, '2026-03-08T06:59:59Z')).toBe(false);
    expect(open(two, '2026-03-08T07:00:00Z')).toBe(false);
    const one = { hours: { from: 1, to: 2 }, timeZone: 'America/New_York' };
    expect(open(one, '2026-11-01T05:30:00Z')).toBe(true);
    expect(open(one, '2026-11-01T06:30:00Z')).toBe(true);
  });

  test('whose hours end where they begin holds all day', () => {
    for (const hour of ['00', '05', '06', '23']) {
      expect(open({ hours: { from: 6, to: 6 } }, `2026-03-06T${hour}:00:00Z`)).toBe(true);
    }
  });

  test('whose hours end where they begin has days that begin at that hour', () => {
    const schedule = { daysOfWeek: ['friday'], hours: { from: 6, to: 6 } };
    expect(open(schedule, '2026-03-06T05:59:59Z')).toBe(false);
    expect(open(schedule, '2026-03-06T06:00:00Z')).toBe(true);
    expect(open(schedule, '2026-03-07T05:59:59Z')).toBe(true);
    expect(open(schedule, '2026-03-07T06:00:00Z')).toBe(false);
  });

  test('says why it does not hold', () => {
    const why = compileSchedule(
      {
        from: '2026-03-01T00:00:00Z',
        until: '2026-04-01T00:00:00Z',
        daysOfWeek: ['friday'],
        hours: { from: 8, to: 11 },
      },
      'Europe/Berlin',
    );
    expect({
      '2026-02-28T12:00:00Z': why(new Date('2026-02-28T12:00:00Z')),
      '2026-04-01T00:00:00Z': why(new Date('2026-04-01T00:00:00Z')),
      '2026-03-06T12:00:00Z': why(new Date('2026-03-06T12:00:00Z')),
      '2026-03-07T08:00:00Z': why(new Date('2026-03-07T08:00:00Z')),
      '2026-03-06T08:00:00Z': why(new Date('2026-03-06T08:00:00Z')),
    }).toEqual({
      '2026-02-28T12:00:00Z': 'Begins at 2026-03-01T00:00:00Z.',
      '2026-04-01T00:00:00Z': 'Ended at 2026-04-01T00:00:00Z.',
      '2026-03-06T12:00:00Z': "Holds from 8 to 11 o'clock (Europe/Berlin).",
      '2026-03-07T08:00:00Z': 'Does not hold on a saturday (Europe/Berlin).',
      '2026-03-06T08:00:00Z': null,
    });
  });
});
