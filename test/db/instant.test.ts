import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { toInstant } from '../../src/db/instant.ts';

const parse: (text: string) => unknown = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ);

test.each([
  ['2026-11-23 13:49:11.123+00', '2026-11-23T13:49:11.123Z'],
  ['2026-11-23 13:49:11.12+00', '2026-11-23T13:49:11.120Z'],
  ['2026-11-23 13:49:11.1+00', '2026-11-23T13:49:11.100Z'],
  ['2026-11-23 13:49:11+00', '2026-11-23T13:49:11.000Z'],
  ['2026-11-23 13:49:11.123456+00', '2026-11-23T13:49:11.123Z'],
  ['2026-11-23 13:49:11+05:30', '2026-11-23T08:19:11.000Z'],
  ['2026-11-23 13:49:11.5-03', '2026-11-23T16:49:11.500Z'],
  ['2024-02-29 23:59:59.999+00', '2024-02-29T23:59:59.999Z'],
  ['0099-01-02 03:04:05+00', '0099-01-02T03:04:05.000Z'],
  ['0100-01-02 03:04:05+00', '0100-01-02T03:04:05.000Z'],
  ['12026-01-02 03:04:05+00', '+012026-01-02T03:04:05.000Z'],
  ['12026-01-02 03:04:05.1+00', '+012026-01-02T03:04:05.100Z'],
  ['0044-03-15 12:00:00+00 BC', '-000043-03-15T12:00:00.000Z'],
])('%s', (text, instant) => {
  expect((toInstant(text) as Date).toISOString()).toBe(instant);
});

test.each(['infinity', '-infinity'])('%s is what pg makes of it', (text) => {
  expect(toInstant(text)).toBe(parse(text));
});

test('whatever the instant and the zone of the session, it is what pg makes of it', () => {
  const instants = fc.date({
    min: new Date('0001-01-01'),
    max: new Date('+020000-01-01'),
    noInvalidDate: true,
  });
  const fraction = fc.stringMatching(/^(\.\d{0,5}[1-9])?$/);
  const zone = fc.constantFrom('+00', '+00', '+02', '-07', '+05:45');
  fc.assert(
    fc.property(instants, fraction, zone, (date, digits, offset) => {
      const [day = '', time = ''] = date
        .toISOString()
        .replace(/^\+0/, '')
        .split(/T|\.\d+Z/);
      const text = `${day} ${time}${digits}${offset}`;
      expect(toInstant(text)).toEqual(parse(text));
    }),
    { numRuns: 5_000 },
  );
});
