import type { OperationStatus, OperationType } from '../../contract/generated/types.ts';
import { AppendedRows } from './record-set.ts';
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

export const operations = insertedTable<OperationRecord, never, AppendedRows<OperationRecord>>({
  name: 'operations',
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
  newRows: () => new AppendedRows(),
});
