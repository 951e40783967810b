import { expect, test } from '@jest/globals';
import {
  isConnectionFailure,
  isTransient,
  isUnavailability,
  retryCauseOf,
} from '../../../src/ledger/batch/sqlstate.ts';
import { LoadedPointsExceeded } from '../../../src/ledger/command.ts';

const failure = (code: string) => Object.assign(new Error('message'), { code });

/** As Postgres words it where the language of its messages is another one. */
const rowHasMoved = (): Error =>
  Object.assign(
    new Error(
      'ungültige Eingabesyntax für Typ boolean: »a row is not where the batch has found it: 1 of 2 are updated«',
    ),
    { code: '22P02' },
  );

const broken = { transient: false, unavailable: false, connection: false };
/** Worth another try of its command, though nothing is away. */
const raced = { ...broken, transient: true };
const delayed = { ...raced, unavailable: true };
const disconnected = { ...delayed, connection: true };

const errors: [string, unknown, typeof broken][] = [
  ...named(['57P01', '57P02', '57P03', '53100', '53300', '08006'], disconnected),
  ...named(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'ETIMEDOUT'], disconnected),
  ...named(['40001', '40P01', '55P03', '57014'], delayed),
  ...named(['53000', '53200', '53400', '58000', '58030', '58P01'], delayed),
  [
    'a session that could not begin',
    Object.assign(new Error('could not write init file'), { code: 'XX000', severity: 'FATAL' }),
    disconnected,
  ],
  [
    'a statement that failed without a code of its own',
    Object.assign(new Error('cache lookup failed'), { code: 'XX000', severity: 'ERROR' }),
    broken,
  ],
  // Of Prisma's client.
  ...named(['P1001', 'P1002', 'P1008', 'P1017', 'P2024'], disconnected),
  ...named(['P2028', 'P2034'], delayed),
  ...named(['P2010', 'P2025'], broken),
  [
    'a statement of Prisma that was cancelled',
    Object.assign(failure('P2010'), { meta: { driverAdapterError: { cause: { originalCode: '57014' } } } }),
    delayed,
  ],
  ...named(['23505'], raced),
  ['a row that is not in its place any more', rowHasMoved(), raced],
  ...named(['23514', '42501', '42P01', '22003', '22012', '22P02', 'EACCES', ''], broken),
  [
    'a unique violation that Citus passes on without its code',
    Object.assign(new Error('duplicate key value violates unique constraint "orders_pkey_102311"'), {
      code: 'XX000',
    }),
    raced,
  ],
  ...named(['XX000'], broken),
  ['LoadedPointsExceeded', new LoadedPointsExceeded(), raced],
  ['what is no error', 'ECONNREFUSED', broken],
];

const words = [
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error and is not queryable',
  'Query read timeout',
];

function named(codes: string[], expected: typeof broken): typeof errors {
  return codes.map((code) => [code, failure(code), expected]);
}

function kindOf(error: unknown): typeof broken {
  return {
    transient: isTransient(error),
    unavailable: isUnavailability(error),
    connection: isConnectionFailure(error),
  };
}

test.each(errors)('the kind of %s', (_name, error, expected) => {
  expect(kindOf(error)).toEqual(expected);
});

test.each(words)('pg says that the connection is to blame by its words: %s', (message) => {
  expect(kindOf(new Error(message))).toEqual(disconnected);
});

test.each([
  ['08006', 'connection'],
  ['40P01', 'delay'],
  ['23505', 'duplicate_key'],
  ['23514', 'error'],
])('the cause of a retry after %s is counted as %s', (code, cause) => {
  expect(retryCauseOf(failure(code))).toBe(cause);
});

test('a row that is not in its place any more is counted as moved_row', () => {
  expect(retryCauseOf(rowHasMoved())).toBe('moved_row');
});

test('points that were not loaded are a cause of their own', () => {
  expect(retryCauseOf(new LoadedPointsExceeded())).toBe('loaded_points_exceeded');
});
