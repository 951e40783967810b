import { expect, test } from '@jest/globals';
import type { LimitPeriod } from '../../../src/programs/document/document-values.ts';
import { limitPeriodStart } from '../../../src/rules/calendar/limit-period.ts';

test.each<[LimitPeriod, string, string]>([
  ['day', '2026-03-04T23:59:59.999Z', '2026-03-04'],
  ['day', '2026-03-05T00:00:00.000Z', '2026-03-05'],
  ['week', '2026-03-02T00:00:00.000Z', '2026-03-02'],
  ['week', '2026-03-04T12:00:00.000Z', '2026-03-02'],
  ['week', '2026-03-08T23:59:59.999Z', '2026-03-02'],
  ['week', '2026-01-01T00:00:00.000Z', '2025-12-29'],
  ['month', '2026-02-28T23:59:59.999Z', '2026-02-01'],
  ['month', '2026-03-01T00:00:00.000Z', '2026-03-01'],
  ['year', '2026-12-31T23:59:59.999Z', '2026-01-01'],
  ['day', '0050-03-04T12:00:00Z', '0050-03-04'],
  ['week', '0050-03-04T12:00:00Z', '0050-02-28'],
  ['month', '0099-12-31T23:59:59.999Z', '0099-12-01'],
  ['year', '0001-12-31T23:59:59.999Z', '0001-01-01'],
  ['lifetime', '2026-12-31T23:59:59.999Z', '1970-01-01'],
])('the %s of %s began on %s', (period, at, start) => {
  expect(limitPeriodStart(period, new Date(at))).toEqual(new Date(`${start}T00:00:00Z`));
});
