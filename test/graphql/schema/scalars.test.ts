import { expect, test } from '@jest/globals';
import { Long } from '../../../src/graphql/schema/scalars.ts';

test.each([
  ['100', 'Long cannot represent "100": it is not an integer.'],
  [1.5, 'Long cannot represent 1.5: it is not an integer.'],
  [2 ** 53, 'Long cannot represent 9007199254740992: it is out of range.'],
  [true, 'Long cannot represent true: it is not an integer.'],
])('%j is no Long, and the message shows it as it was sent', (value, message) => {
  expect(() => Long.coerceInputValue(value)).toThrow(message);
});
