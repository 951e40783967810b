import { describe, expect, test } from '@jest/globals';
import { createClock } from '../../../src/rules/calendar/local-time.ts';

describe('the same instant on other clocks', () => {
  test.each([
    ['UTC', '2026-01-01T00:30:00Z', 'thursday', 0, '2026-01-01'],
    ['America/New_York', '2026-01-01T00:30:00Z', 'wednesday', 19, '2025-12-31'],
    ['Asia/Kathmandu', '2026-01-01T18:14:59Z', 'thursday', 23, '2026-01-01'],
    ['Asia/Kathmandu', '2026-01-01T18:15:00Z', 'friday', 0, '2026-01-02'],
    // New York's clocks go from 01:59 to 03:00 on 8 March, and from 01:59 back to 01:00 on 1 November.
    ['America/New_York', '2026-03-08T06:59:59Z', 'sunday', 1, '2026-03-08'],
    ['America/New_York', '2026-03-08T07:00:00Z', 'sunday', 3, '2026-03-08'],
    ['America/New_York', '2026-11-01T05:59:59Z', 'sunday', 1, '2026-11-01'],
    ['America/New_York', '2026-11-01T06:00:00Z', 'sunday', 1, '2026-11-01'],
    ['America/New_York', '2026-11-01T07:00:00Z', 'sunday', 2, '2026-11-01'],
    // Adelaide's clocks go from 01:59 to 03:00, half an hour past a full hour of UTC.
    ['Australia/Adelaide', '2026-10-03T16:29:59Z', 'sunday', 1, '2026-10-04'],
    ['Australia/Adelaide', '2026-10-03T16:30:00Z', 'sunday', 3, '2026-10-04'],
    // Years before 100, in local mean time: 5:53:28 ahead of UTC, and 4:56:02 behind.
    ['UTC', '0050-06-01T12:00:00Z', 'wednesday', 12, '0050-06-01'],
    ['Asia/Kolkata', '0050-06-01T18:06:31Z', 'wednesday', 23, '0050-06-01'],
    ['Asia/Kolkata', '0099-12-31T18:06:32Z', 'friday', 0, '0100-01-01'],
    ['America/New_York', '0001-01-02T04:56:01Z', 'monday', 23, '0001-01-01'],
  ])('%s at %s', (timeZone, at, dayOfWeek, hour, date) => {
    expect(createClock(timeZone)(new Date(at))).toEqual({
      dayOfWeek,
      hour,
      date,
      dayOfMonth: Number(date.slice(8)),
      month: Number(date.slice(5, 7)),
    });
  });
});

test.each([
  ['America/New_York', ['2026-03-08', '2026-11-01', '2026-07-01']],
  // In the middle of an hour of UTC.
  ['Australia/Adelaide', ['2026-04-04', '2026-10-03']],
])('one clock of %s asked again and again agrees with Intl around both changes', (timeZone, days) => {
  const clock = createClock(timeZone);
  const hour = new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', hourCycle: 'h23' });
  for (const day of days) {
    for (let quarter = 0; quarter < 96; quarter += 1) {
      const at = new Date(Date.parse(`${day}T00:00:00Z`) + quarter * 900_000 + 17);
      expect(clock(at).hour).toBe(Number(hour.format(at)));
    }
  }
});

test('an unknown zone throws', () => {
  expect(() => createClock('Mars/Olympus')).toThrow(RangeError);
});
