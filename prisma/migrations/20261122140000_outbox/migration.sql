-- Webhooks as an outbox: a change writes each of its events once, in its own transaction. A sequencer numbers the events
-- after the commit and makes a delivery for each endpoint that subscribes to them. The tables of before held nothing:
-- there was no way to create an endpoint.
drop table webhook_deliveries;
drop table webhook_endpoints;

create table events (
  environment_id uuid not null,
  id uuid not null,
  type text not null,
  program_id text,
  -- The member that it is about. Its externalCustomerId is added when the event is read: it may be erased.
  member_id uuid,
  data json not null,
  -- When the change was decided, in milliseconds.
  at timestamptz not null,
  -- Taken under the locks of the change: of two changes that wait for each other's locks, the later one's is later.
  written_at timestamptz not null default clock_timestamp(),
  -- From 1 without gaps in the environment, set after the commit; null until the sequencer has seen the event.
  position bigint,
  primary key (environment_id, id)
);
create unique index events_in_order on events (environment_id, position) where position is not null;
create index events_without_position on events (environment_id, written_at, id) where position is null;

-- One row for an environment that had events. Its lock lets one sequencer at a time number the environment's events.
create table event_positions (
  environment_id uuid not null references environments (id),
  last_position bigint not null default 0,
  primary key (environment_id)
);

create table webhook_endpoints (
  environment_id uuid not null references environments (id),
  id uuid not null,
  -- An environment has 50 places for endpoints; null where it is deleted.
  place integer check (place between 1 and 50),
  url text not null,
  -- A list of names.
  event_types json not null check (json_array_length(event_types) between 1 and 20),
  description text,
  status text not null check (status in ('disabled', 'active')),
  -- Null where it is active, and before it was active for the first time.
  disabled_reason text check (disabled_reason in ('gone', 'failing', 'url_changed', 'operator')),
  -- When it became active for the first time: earlier events make no deliveries.
  activated_at timestamptz,
  -- The last successful test.
  verified_at timestamptz,
  -- Since when every attempt has failed; null where the last one succeeded.
  failing_since timestamptz,
  -- Encrypted (src/auth/secret-box.ts); the previous one signs as well until its end.
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamptz,
  -- The last sequence that a delivery took: the deliveries of an endpoint have no gaps.
  last_sequence bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (environment_id, id),
  check ((place is null) = (deleted_at is not null)),
  check ((previous_secret is null) = (previous_secret_until is null)),
  check (status = 'disabled' or (activated_at is not null and disabled_reason is null and deleted_at is null))
) with (fillfactor = 70);

-- Partial, so that no plan uses it for a look-up by environment and id.
create unique index webhook_endpoints_place on webhook_endpoints (environment_id, place) where place is not null;

-- Which process sends the deliveries of an endpoint. It renews the lease; after a kill it ends by itself.
create table webhook_leases (
  environment_id uuid not null,
  endpoint_id uuid not null,
  owner uuid not null,
  owned_until timestamptz not null,
  primary key (environment_id, endpoint_id),
  foreign key (environment_id, endpoint_id) references webhook_endpoints (environment_id, id)
) with (fillfactor = 50);

-- An event for one endpoint. Its body is made from the event when it is sent.
create table webhook_deliveries (
  environment_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  sequence bigint not null check (sequence > 0),
  -- Null for a test.
  event_id uuid,
  event_type text not null,
  status text not null check (status in ('pending', 'delivered', 'failed', 'dead_letter')),
  attempt_count integer not null default 0,
  -- Since it was made, or put in the queue again: the schedule begins anew then.
  failures integer not null default 0,
  created_at timestamptz not null,
  next_attempt_at timestamptz,
  delivered_at timestamptz,
  last_response_status integer,
  last_error text,
  primary key (environment_id, id),
  foreign key (environment_id, endpoint_id) references webhook_endpoints (environment_id, id),
  check ((event_id is null) = (event_type = 'webhook.test')),
  check ((next_attempt_at is not null) = (status in ('pending', 'failed'))),
  check ((delivered_at is not null) = (status = 'delivered'))
);
-- Partial, of every row, so that no plan uses it for a look-up by environment and id.
create unique index webhook_deliveries_of_endpoint on webhook_deliveries (environment_id, endpoint_id, sequence)
  where endpoint_id is not null;
create index webhook_deliveries_waiting on webhook_deliveries (environment_id, endpoint_id, next_attempt_at, sequence)
  where status in ('pending', 'failed');

create index webhook_deliveries_tests on webhook_deliveries (environment_id, endpoint_id)
  where status in ('pending', 'failed') and event_id is null;

-- Few deliveries fail: lists of those find them without a look at all others.
create index webhook_deliveries_failed on webhook_deliveries (environment_id, id) where status = 'failed';
create index webhook_deliveries_dead on webhook_deliveries (environment_id, id) where status = 'dead_letter';

create table webhook_attempts (
  environment_id uuid not null,
  delivery_id uuid not null,
  -- From 1; a retry or a replay goes on counting.
  number integer not null check (number > 0),
  at timestamptz not null,
  duration_ms integer not null check (duration_ms >= 0),
  -- Null where no response came.
  response_status integer,
  -- The first 1,000 characters; null where no response came.
  response_excerpt text,
  error text,
  primary key (environment_id, delivery_id, number),
  foreign key (environment_id, delivery_id) references webhook_deliveries (environment_id, id)
);

grant select, insert on events, event_positions, webhook_endpoints, webhook_leases, webhook_deliveries, webhook_attempts
  to rewards_app;
grant update (position) on events to rewards_app;
grant update (last_position) on event_positions to rewards_app;
grant update (place, url, event_types, description, status, disabled_reason, activated_at, verified_at, failing_since, secret,
  previous_secret, previous_secret_until, last_sequence, updated_at, deleted_at) on webhook_endpoints to rewards_app;
grant update (owner, owned_until) on webhook_leases to rewards_app;
grant update (status, attempt_count, failures, next_attempt_at, delivered_at, last_response_status, last_error)
  on webhook_deliveries to rewards_app;
