import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { lockEnvironment } from '../../src/admin/environments/lock-environment.ts';
import { createPrisma } from '../../src/db/prisma.ts';
import { toTypeId } from '../../src/ids.ts';
import { startImportOperation, summarise } from '../../src/import/import-operation.ts';
import type { ImportProgress } from '../../src/import/import-rows.ts';
import { auditEvent } from '../../src/ledger/batch/audit-event.ts';
import { type AuditEntry, systemActor } from '../../src/ledger/command.ts';
import type { AuditRecord } from '../../src/ledger/tables/audit-events.ts';
import { atEnd, fixture } from '../support/fixture.ts';
import type { Shop } from '../support/ledger/counter.ts';
import { useCounter, useWriter } from '../support/ledger/use-counter.ts';

/** The process's clock, which is years behind that of the database. */
const PROCESS_TIME = new Date('2001-02-03T04:05:06Z');
const operator = { type: 'operator', id: 'ada' } as const;

let shop: Shop;

const counter = useCounter();
const writer = useWriter(counter);
const administrator = fixture('the administrator', () => ({
  prisma: createPrisma(counter.database.adminPool),
  actor: operator,
}));

atEnd(() => administrator.prisma.$disconnect());

beforeEach(async () => {
  shop = await counter.environment();
  // Only the date is faked: connections and the writer need real timers.
  jest.useFakeTimers({
    now: PROCESS_TIME,
    doNotFake: [
      'clearImmediate',
      'clearInterval',
      'clearTimeout',
      'hrtime',
      'nextTick',
      'performance',
      'queueMicrotask',
      'setImmediate',
      'setInterval',
      'setTimeout',
    ],
  });
});

afterEach(() => {
  jest.useRealTimers();
});

/** The audit entry that a change should write, with its actor and request. */
interface Written {
  by: Parameters<typeof auditEvent>[1];
  entry: AuditEntry;
}

const PATHS: Record<string, () => Promise<Written>> = {
  async 'a command'() {
    const command = shop.createMember('ada');
    await writer.submit(command);
    const id = await counter.value<string>('select id from members where environment_id = $1', [shop.id]);
    return {
      by: shop.caller,
      entry: {
        action: 'member.created',
        targetType: 'member',
        targetId: toTypeId('mem', id),
        changes: { consentStatus: 'granted', noticeVersion: 'identity-1' },
      },
    };
  },
  async administration() {
    await lockEnvironment(administrator, shop.id, true);
    // New for each change.
    const { requestId } = await stored();
    expect(requestId).toMatch(/^req_[0-9a-z]{26}$/);
    return {
      by: { actor: operator, requestId },
      entry: {
        action: 'environment.locked',
        targetType: 'environment',
        targetId: toTypeId('env', shop.id),
        changes: { locked: { from: false, to: true } },
      },
    };
  },
  'an import that completes': () => runImport('import.completed'),
  'an import that fails': () => runImport('import.failed'),
};

async function runImport(action: 'import.completed' | 'import.failed'): Promise<Written> {
  const progress: ImportProgress = {
    done: 2,
    committed: 1,
    replayed: 1,
    rejected: 0,
    committedPoints: 2n ** 60n,
    replayedPoints: 7n,
    membersCreated: 1,
  };
  const started = await startImportOperation(
    counter.database.adminPool,
    administrator,
    shop.id,
    'purchases',
    2,
    {
      file: 'a "file".csv',
    },
  );
  if (action === 'import.completed') await started.succeed(progress);
  else await started.fail(progress, 'internal_error', 'The import broke off.');
  const { requestId } = started;
  const entry = {
    action,
    targetType: 'operation',
    targetId: requestId,
    changes: summarise('purchases', progress),
  };
  return { by: { actor: operator, requestId }, entry };
}

/** The only audit event of the shop, with the names of a record. */
async function stored(): Promise<AuditRecord> {
  const { rows } = await counter.database.adminPool.query<AuditRecord>(
    `select id, action, target_type as "targetType", target_id as "targetId", actor_type as "actorType",
       actor_id as "actorId", request_id as "requestId", changes, at
     from audit_events where environment_id = $1`,
    [shop.id],
  );
  expect(rows).toHaveLength(1);
  return rows[0] as AuditRecord;
}

const databaseNow = () => counter.value<Date>('select clock_timestamp()');

describe.each(Object.keys(PATHS))('%s', (path) => {
  test('writes the audit event that the one builder makes, at the time of the database', async () => {
    const before = await databaseNow();
    const written = await PATHS[path]?.();
    const after = await databaseNow();
    const row = await stored();
    expect(written && auditEvent(row.id, written.by, written.entry, row.at)).toEqual(row);
    expect(row.at.getTime()).toBeGreaterThanOrEqual(before.getTime());
    expect(row.at.getTime()).toBeLessThanOrEqual(after.getTime());
  });
});

test('an audit event and its webhook event tell the same time, at which the operation of the import has finished', async () => {
  await runImport('import.completed');
  const { at } = await stored();
  // Times of events are in milliseconds; those of operations have the microseconds of the database's clock.
  const { rows } = await counter.database.adminPool.query(
    `select e.at, o.started_at <= o.finished_at and date_trunc('milliseconds', o.finished_at) <= e.at as ordered
     from events e join operations o using (environment_id)
     where environment_id = $1 and e.type = 'import.completed'`,
    [shop.id],
  );
  expect(rows).toEqual([{ at, ordered: true }]);
});

describe('a row of the audit trail', () => {
  const entry = { action: 'a.b', targetType: 'thing', targetId: 'thing_1', changes: { from: 1, to: 2 } };
  const by = { actor: operator, requestId: 'req_1' };
  const at = new Date('2026-10-01T00:00:00Z');

  test('has a value for every column', async () => {
    const { rows } = await counter.database.adminPool.query<{ name: string }>(
      `select column_name as name from information_schema.columns
       where table_schema = 'public' and table_name = 'audit_events' and column_name <> 'environment_id'`,
    );
    const columnOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    expect(
      Object.keys(auditEvent('id', by, entry, at))
        .map(columnOf)
        .sort(),
    ).toEqual(rows.map(({ name }) => name).sort());
  });

  test('names who acts: the one whose request it is, or another whom the entry names', () => {
    expect(auditEvent('id', by, entry, at)).toMatchObject({ actorType: 'operator', actorId: 'ada' });
    expect(auditEvent('id', by, { ...entry, actor: systemActor }, at)).toEqual({
      id: 'id',
      ...entry,
      actorType: 'system',
      actorId: 'time',
      requestId: 'req_1',
      at,
    });
  });
});
