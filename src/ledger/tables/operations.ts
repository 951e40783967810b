import type { OperationStatus, OperationType } from '../../contract/generated/types.ts';
import { arrayLiteral } from '../../db/array-literal.ts';
import { OF_MEMBERS } from './handling.ts';
import type { Index } from './look-up.ts';
import { insertedTable } from './table.ts';

/** Long-running work that a command asks for. A process takes it up after the commit. */
export interface OperationRecord {
  id: string;
  type: OperationType;
  status: OperationStatus;
  /** How much there is to do. */
  progressTotal: number | null;
  /** Neither secrets nor personal data. */
  input: object;
  createdAt: Date;
  /** Until when the process that does the work has promised to be heard of; null where none does it. */
  leaseUntil: Date | null;
}

/** The channel on which processes tell each other that an environment has a queued operation: its id is the message. */
export const OPERATIONS_CHANNEL = 'rewards_operations';

/** The replays of a webhook endpoint that have yet to end. With `webhookEndpoint`, whose lock each new one takes. */
export interface UnfinishedReplaysSubject {
  kind: 'unfinishedReplays';
  /** UUID. */
  endpointId: string;
}

const BY_TYPE: Index<OperationRecord> = { properties: ['type'] };

export const operations = insertedTable<OperationRecord, UnfinishedReplaysSubject>({
  name: 'operations',
  handling: {
    owner: 'environment',
    exported: { none: 'counts and options, neither ids of customers nor names' },
    erasure: 'own_step',
    ...OF_MEMBERS,
  },
  columns: {
    id: 'uuid',
    type: 'text',
    status: 'text',
    progressTotal: 'bigint',
    input: 'json',
    createdAt: 'timestamptz',
    leaseUntil: { type: 'timestamptz', readOnly: true },
  },
  // Set by the process that does the work.
  otherColumns: ['progress_done', 'result', 'error', 'started_at', 'finished_at'],
  primaryKey: ['id'],
  checks: { operations_check: (row) => (row.leaseUntil !== null) === (row.status === 'running') },
  channel: OPERATIONS_CHANNEL,
  lookUps: [
    {
      name: 'load_unfinished_replays',
      keyProperties: { unfinishedReplays: ['endpointId'] },
      // The partial index `operations_unusual` finds what has not ended: few rows, however many replays there were.
      // State by state, so that every version of Postgres uses both columns of it.
      text: (select) => `select ${select('r')}
      from unnest(array['queued', 'running']) as wanted(status)
      cross join lateral (
        select * from operations
        where environment_id = $1::uuid and status = wanted.status and status <> 'succeeded'
          and type = 'webhook_replay' and input ->> 'endpointId' = any ($2::text[])
        offset 0
      ) r`,
      values: (wanted) => [arrayLiteral(wanted.map(({ endpointId }) => endpointId))],
      find: (stored, { endpointId }): OperationRecord[] =>
        stored(operations)
          .by(BY_TYPE, 'webhook_replay')
          .filter((row) => isUnfinishedReplay(row, endpointId)),
    },
  ],
});

/** Whether an operation is a replay of a webhook endpoint that has yet to end. @param endpointId UUID */
export function isUnfinishedReplay({ type, status, input }: OperationRecord, endpointId: string): boolean {
  return (
    type === 'webhook_replay' &&
    (status === 'queued' || status === 'running') &&
    'endpointId' in input &&
    input.endpointId === endpointId
  );
}
