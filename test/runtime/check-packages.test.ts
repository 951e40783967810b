import { describe, expect, test } from '@jest/globals';
import { checkPackages, newestOfLine } from '../../scripts/check-packages.mjs';

/** A substitute for npm, with an answer for each of its commands. */
function npmAnswers(view: string, audit: string): (args: readonly string[]) => string {
  return ([command]) => (command === 'view' ? view : audit);
}

const CLEAN = '{"vulnerabilities":{}}';

describe('the newest of a line', () => {
  test('is compared by numbers, whatever the order', () => {
    expect(newestOfLine('24.9.0', ['24.21.0', '26.10.0', '24.9.0', '24.10.3'])).toBe('24.21.0');
  });
  test('is itself where only other lines and pre-releases are newer', () => {
    expect(newestOfLine('24.21.0', ['24.22.0-rc.1', '26.0.0', '24.20.9'])).toBe('24.21.0');
  });
});

describe('the check of packages before a release', () => {
  test('passes what is newest and has no known vulnerability', () => {
    expect(checkPackages('24.21.0', npmAnswers('["24.9.0","24.21.0"]', CLEAN))).toEqual({
      problems: [],
      unanswered: [],
    });
  });
  test('names a Node that is behind its line', () => {
    expect(checkPackages('24.9.0', npmAnswers('["24.9.0","24.21.0"]', CLEAN)).problems).toEqual([
      'Node 24.9.0 is pinned, and 24.21.0 is the newest of its line.',
    ]);
  });
  test('names each vulnerable package', () => {
    const audit = '{"vulnerabilities":{"x":{"name":"x","severity":"high","range":"<2"}}}';
    expect(checkPackages('24.21.0', npmAnswers('["24.21.0"]', audit)).problems).toEqual([
      'x <2 has a known vulnerability (high).',
    ]);
  });
  test('says what a registry without advisories, or none in reach, has not answered', () => {
    expect(checkPackages('24.21.0', npmAnswers('', '{"message":"405 Method Not Allowed"}'))).toEqual({
      problems: [],
      unanswered: [
        'The registry did not say which versions of Node there are.',
        'The registry serves no advisories to npm audit: 405 Method Not Allowed',
      ],
    });
  });
});
