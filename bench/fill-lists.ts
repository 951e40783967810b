import type { Pool } from '../src/db/pool.ts';

/** Members that the redemptions and adjustments are of, with 100 of each. */
const OF_EACH = 100;
/** Positions from here on: the first ones are those of the events of a new environment. */
const FIRST_POSITION = 1_000;

/** What lists show, in an environment of which nothing else is right: no postings, and no transactions. */
export interface FilledLists {
  /** UUID. An environment can be filled only once. */
  environmentId: string;
  programId: string;
  /** Rows of each list, in hundreds. */
  rows: number;
}

/**
 * Writes members, redemptions with disputes, adjustments, operations, audit events with their seals, events with their
 * positions and webhook deliveries by SQL: one row in 100 is what a filter looks for. Then runs vacuum, analyze and a
 * checkpoint, so that they do not run during the measurements.
 * @param pool connections of the superuser: foreign keys are not checked
 */
export async function fillLists(pool: Pool, lists: FilledLists): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('set local session_replication_role = replica');
    await client.query('set local statement_timeout = 0');
    // The ids of rows of one number are derived from it, in ascending order.
    await client.query(
      `create temp table listed on commit drop as
       select number, uuidv7(number * interval '1 millisecond' - interval '1 day') as id,
         clock_timestamp() + number * interval '1 millisecond' - interval '1 day' as at
       from generate_series(0, $1::integer - 1) as number`,
      [lists.rows],
    );
    for (const statement of statements(lists)) await client.query(statement);
    await client.query('commit');
    await client.query('vacuum (analyze)');
    await client.query('checkpoint');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

function statements({ environmentId, programId, rows }: FilledLists): string[] {
  const environment = `'${environmentId}'::uuid`;
  const program = `'${programId}'`;
  const rare = (name: string, usual: string): string =>
    `case when number % 100 = 7 then ${name} else ${usual} end`;
  const owner = `(select id from listed owner where owner.number = listed.number % ${Math.ceil(rows / OF_EACH)})`;
  return [
    'create index on listed (number)',
    'analyze listed',
    `insert into members (environment_id, id, external_customer_id, display_name, status, identity_status,
       consent_status, notice_version, consent_at, created_at, tags)
     select ${environment}, id, 'listed-' || number, 'Name ' || number, ${rare("'suspended'", "'active'")}, 'verified',
       'granted', '1', at, at, ${rare("array['vip']", "'{}'")} from listed order by number`,
    `insert into program_profiles (environment_id, program_id, member_id, enrolled, tier, enrolled_at)
     select ${environment}, ${program}, id, true, ${rare("'gold'", "'bronze'")}, at from listed order by number`,
    `insert into redemption_reservations (environment_id, id, quote_id, program_id, member_id, reward_id,
       source_reference, state, points, terms, reserve_transaction_id, commit_transaction_id, transaction_id,
       fulfillment_status, reserved_at, expires_at, changed_at)
     select ${environment}, id, id, ${program}, ${owner}, 'reward', 'checkout-' || number,
       case number % 100 when 7 then 'reversed' when 8 then 'expired' else 'committed' end, 10, '{}', id,
       case when number % 100 <> 8 then id end, id, ${rare("'pending'", "'delivered'")}, at, at, at
     from listed order by number`,
    `insert into redemption_disputes (environment_id, id, reservation_id, state, reason, opened_at, closed_at)
     select ${environment}, id, id, ${rare("'open'", "'resolved'")}, 'why', at, ${rare('null', 'at')}
     from listed where number % 10 = 7 order by number`,
    `insert into adjustments (environment_id, id, program_id, member_id, direction, points, reason, evidence, state,
       requested_by, requested_at, expires_at, decided_by, transaction_id)
     select ${environment}, id, ${program}, ${owner}, 'credit', 1, 'why', '{"ticket":"1"}',
       ${rare("'requested'", "'posted'")}, 'one', at, at + interval '14 days', ${rare('null', "'two'")},
       ${rare('null', 'id')} from listed order by number`,
    `insert into operations (environment_id, id, type, status, progress_done, input, result, created_at, started_at,
       finished_at)
     select ${environment}, id, 'import', ${rare("'failed'", "'succeeded'")}, 1, '{}', '{"rows":1}', at, at, at
     from listed order by number`,
    `insert into audit_events (environment_id, id, action, target_type, target_id, actor_type, actor_id, request_id,
       changes, at)
     select ${environment}, id, 'member.created', 'member', 'member-' || number / 100, 'api_key', 'bench', 'req',
       '{"points":1}', at from listed order by number`,
    `insert into audit_seals (environment_id, chain_position, event_at, event_id, hash)
     select ${environment}, number + ${FIRST_POSITION}, at, id, sha256('') from listed order by number`,
    `insert into audit_heads (environment_id, position, hash, settled_until)
     values (${environment}, ${FIRST_POSITION + rows}, sha256(''), clock_timestamp())
     on conflict (environment_id) do update set position = excluded.position, settled_until = excluded.settled_until`,
    `insert into event_positions (environment_id, last_position) values (${environment}, ${FIRST_POSITION + rows})
     on conflict (environment_id) do update set last_position = excluded.last_position`,
    `insert into events (environment_id, id, type, program_id, member_id, data, at, written_at, position)
     select ${environment}, id, 'points.earned', ${program}, id, '{"points":1}', at, at, number + ${FIRST_POSITION}
     from listed order by number`,
    `insert into webhook_endpoints (environment_id, id, place, url, event_types, status, disabled_reason, activated_at,
       secret, created_at, updated_at)
     select ${environment}, id, 1, 'https://example.com/hook', '["points.earned"]', 'disabled', 'operator', at, '', at,
       at from listed where number = 0`,
    `insert into webhook_deliveries (environment_id, id, endpoint_id, sequence, event_id, event_type, status,
       attempt_count, created_at, delivered_at)
     select ${environment}, id, (select id from listed where number = 0), number + 1, id, 'points.earned',
       ${rare("'dead_letter'", "'delivered'")}, 1, at, ${rare('null', 'at')} from listed order by number`,
  ];
}
