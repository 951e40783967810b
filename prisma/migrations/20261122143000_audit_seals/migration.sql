-- Lists of audit events and operations, the seals of audit events, and leases in place of the locks of operations.

-- Audit events are listed and sealed in the order of their times. The order is that of the primary key, so that a command
-- keeps one index of its audit event in this order and none beside it: new entries go to its end.
alter table audit_events drop constraint audit_events_pkey, add primary key (environment_id, at, id);
-- A transaction's only audit event is of its own time, which leads to it: most events need no entry here.
create index audit_events_of_target on audit_events (environment_id, target_id, at, id)
  where target_type <> 'transaction';

-- What a seal covers never changes, and nothing is sealed yet: a customer's id, which is erased with the customer, goes.
update audit_events set changes = (changes::jsonb - 'externalCustomerId')::json
  where action = 'member.created';

-- The hash chain of an environment's audit events.
create table audit_seals (
  environment_id uuid not null,
  -- From 1 without gaps.
  chain_position bigint not null check (chain_position > 0),
  event_at timestamptz not null,
  event_id uuid not null,
  -- SHA-256 over the hash of the position before and the canonical JSON of the event.
  hash bytea not null check (length(hash) = 32),
  primary key (environment_id, chain_position)
);
create unique index audit_seals_of_event on audit_seals (environment_id, event_at, event_id);

-- The end of the chain. Its lock lets one process at a time seal the environment's audit events.
create table audit_heads (
  environment_id uuid not null references environments (id),
  position bigint not null default 0,
  hash bytea not null default decode(repeat('00', 32), 'hex') check (length(hash) = 32),
  -- Every audit event from before is sealed, and none will be added any more.
  settled_until timestamptz not null default '-infinity',
  -- All transactions below this id had begun at this time: once they have ended, settled_until moves here.
  pending_until timestamptz,
  pending_transaction bigint,
  primary key (environment_id),
  check ((pending_until is null) = (pending_transaction is null))
) with (fillfactor = 50);

grant select, insert on audit_seals, audit_heads to rewards_app;
grant update (position, hash, settled_until, pending_until, pending_transaction) on audit_heads to rewards_app;

-- Until when the process that runs an operation has promised to be heard of; null for what no process runs. What is
-- running now was started without one.
alter table operations add column lease_until timestamptz;
update operations set lease_until = clock_timestamp() + interval '1 day' where status = 'running';
alter table operations add check ((lease_until is not null) = (status = 'running'));
grant update (progress_total, lease_until) on operations to rewards_app;

create index operations_by_time on operations (environment_id, created_at, id);
create index operations_by_type on operations (environment_id, type, created_at, id);
-- Most operations have succeeded: the list by time leads to those.
create index operations_unusual on operations (environment_id, status, created_at, id) where status <> 'succeeded';
create index operations_leased on operations (lease_until) where status = 'running';
