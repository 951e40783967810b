import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

// The time zone of the machine must not change points, periods or tiers.
const ofTheMachine =
  /\.(?:get|set)(?:Date|Day|FullYear|Hours|Minutes|Month|TimezoneOffset)\(|\.toLocale(?:Date|Time)?String\(|new Date\([^()]*,/;

test('no source reads a date off the clock of the machine', () => {
  const sources = globSync('src/**/*.ts');
  expect(sources.length).toBeGreaterThan(100);
  const found = sources.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((text, index) => (ofTheMachine.test(text) ? [`${file}:${index + 1}: ${text.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});
