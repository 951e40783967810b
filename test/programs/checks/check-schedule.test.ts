import { expect, test } from '@jest/globals';
import { checkSchedule } from '../../../src/programs/checks/check-schedule.ts';
import type { Schedule } from '../../../src/programs/document/campaign-document.ts';

test.each<[string, Schedule, string[]]>([
  ['hours of the day', { hours: { from: 9, to: 17 } }, []],
  ['hours over midnight', { hours: { from: 22, to: 2 } }, []],
  ['hours to the end of the day', { hours: { from: 22, to: 24 } }, []],
  ['no hours at all', { hours: { from: 9, to: 9 } }, ['hours.to']],
  ['one millisecond', { from: '2027-01-01T00:00:00.000Z', until: '2027-01-01T00:00:00.001Z' }, []],
  [
    'one instant, written in two ways',
    { from: '2027-01-01T01:00:00+01:00', until: '2027-01-01T00:00:00Z' },
    ['until'],
  ],
  ['a beginning alone', { from: '2027-01-01T00:00:00Z' }, []],
  ['a zone', { timeZone: 'Europe/Berlin' }, []],
  ['no zone', { timeZone: 'Europe/Atlantis' }, ['timeZone']],
])('%s', (_what, schedule, paths) => {
  expect(checkSchedule(schedule).map(({ path }) => path.join('.'))).toEqual(paths);
});
