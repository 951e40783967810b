-- The foundation: tenants, environments, keys, members, programs, the double-entry ledger, idempotency, audit.
--
-- Rules that hold for every table here (shared design, "Guards that live in the database"):
--   * every row of an environment carries environment_id, first in each primary, unique and foreign key, so that
--     a reference across environments cannot exist and the schema can be distributed by that column;
--   * guards are constraints and privileges, no triggers;
--   * points are integers in the smallest loyalty unit, below 2^53 so that JSON carries them exactly.

create table tenants (
  id uuid primary key,
  name text not null,
  created_at timestamptz not null default now()
);

create table environments (
  id uuid primary key,
  tenant_id uuid not null references tenants (id),
  kind text not null check (kind in ('sandbox', 'production')),
  name text not null,
  locked boolean not null default false,
  -- Counts up with every lock, unlock and publication, so that a server knows when what it has cached is old.
  revision bigint not null default 1,
  created_at timestamptz not null default now()
);

create table api_keys (
  environment_id uuid not null references environments (id),
  id uuid not null,
  -- The person or system that holds the key: two keys of one principal are one principal.
  principal text not null,
  scopes text[] not null,
  secret_hash bytea not null check (length(secret_hash) = 32),
  previous_secret_hash bytea check (length(previous_secret_hash) = 32),
  previous_valid_until timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (environment_id, id),
  check ((previous_secret_hash is null) = (previous_valid_until is null))
);

create table programs (
  environment_id uuid not null references environments (id),
  id text not null,
  created_at timestamptz not null default now(),
  primary key (environment_id, id)
);

-- Published configurations: numbered from 1, never changed (the server's role may only read them).
create table program_versions (
  environment_id uuid not null,
  program_id text not null,
  version integer not null check (version >= 1),
  document json not null,
  document_hash bytea not null check (length(document_hash) = 32),
  effective_from timestamptz not null,
  published_at timestamptz not null,
  published_by text not null,
  primary key (environment_id, program_id, version),
  foreign key (environment_id, program_id) references programs (environment_id, id)
);

create table members (
  environment_id uuid not null references environments (id),
  id uuid not null,
  external_customer_id text not null,
  display_name text,
  status text not null check (status in ('active', 'suspended', 'erased')),
  identity_status text not null check (identity_status in ('verified', 'unverified')),
  consent_status text not null check (consent_status in ('granted', 'withdrawn')),
  notice_version text not null,
  consent_at timestamptz not null,
  created_at timestamptz not null,
  primary key (environment_id, id),
  unique (environment_id, external_customer_id)
);

-- The one row that every change of a member's points in a program locks. Flag and balances stand together so that
-- points cannot enter an unenrolled profile, and a profile with points cannot be unenrolled, under any race.
create table program_profiles (
  environment_id uuid not null,
  program_id text not null,
  member_id uuid not null,
  enrolled boolean not null,
  tier text not null,
  qualification_points bigint not null default 0 check (qualification_points >= 0),
  qualification_since timestamptz,
  available bigint not null default 0 check (available between 0 and 9007199254740991),
  pending bigint not null default 0 check (pending between 0 and 9007199254740991),
  reserved bigint not null default 0 check (reserved between 0 and 9007199254740991),
  enrolled_at timestamptz not null,
  unenrolled_at timestamptz,
  primary key (environment_id, member_id, program_id),
  foreign key (environment_id, member_id) references members (environment_id, id),
  foreign key (environment_id, program_id) references programs (environment_id, id),
  constraint points_only_while_enrolled check (enrolled or (available = 0 and pending = 0 and reserved = 0)),
  check (enrolled = (unenrolled_at is null))
) with (fillfactor = 80);

-- Append-only evidence of consent, given and withdrawn; program_id is null where it is the identity's.
create table consent_records (
  environment_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  program_id text,
  status text not null check (status in ('granted', 'withdrawn')),
  notice_version text not null,
  evidence json,
  reason text,
  request_id text not null,
  at timestamptz not null,
  primary key (environment_id, id),
  foreign key (environment_id, member_id) references members (environment_id, id)
);

-- One row per event that moved points (or that could have: an award of zero is a transaction too).
create table transactions (
  environment_id uuid not null,
  id uuid not null,
  program_id text not null,
  member_id uuid not null,
  event_type text not null,
  source_reference text,
  state text not null check (state in ('committed', 'reversed')),
  points bigint not null,
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  reversal_of uuid,
  reversed_by uuid,
  -- The whole first receipt: a replay answers with it, and an award can be computed again from it.
  receipt json not null,
  primary key (environment_id, id),
  foreign key (environment_id, member_id, program_id)
    references program_profiles (environment_id, member_id, program_id)
);

-- Points are held in lots. pending + available + reserved of all lots of a profile are the profile's balances.
create table lots (
  environment_id uuid not null,
  member_id uuid not null,
  program_id text not null,
  id uuid not null,
  transaction_id uuid not null,
  granted bigint not null check (granted > 0),
  pending bigint not null check (pending >= 0),
  available bigint not null check (available >= 0),
  reserved bigint not null check (reserved >= 0),
  activates_at timestamptz,
  expires_at timestamptz,
  created_at timestamptz not null,
  primary key (environment_id, member_id, program_id, id),
  foreign key (environment_id, transaction_id) references transactions (environment_id, id),
  check (pending + available + reserved <= granted)
);

-- Append-only double entry: each row debits one account and credits another with the same positive amount, so
-- that every transaction balances by construction. A row that touches a lot names it, and the foreign key holds
-- the lot to the same member and program.
create table postings (
  environment_id uuid not null,
  transaction_id uuid not null,
  line smallint not null check (line >= 1),
  program_id text not null,
  member_id uuid not null,
  debit_account text not null,
  credit_account text not null,
  amount bigint not null check (amount > 0),
  lot_id uuid,
  created_at timestamptz not null,
  primary key (environment_id, transaction_id, line),
  foreign key (environment_id, transaction_id) references transactions (environment_id, id),
  foreign key (environment_id, member_id, program_id, lot_id)
    references lots (environment_id, member_id, program_id, id),
  check (debit_account <> credit_account),
  check (debit_account in ('member.available', 'member.pending', 'member.reserved', 'program.issuance',
    'program.redemption', 'program.expiry', 'program.adjustment', 'program.clearing')),
  check (credit_account in ('member.available', 'member.pending', 'member.reserved', 'program.issuance',
    'program.redemption', 'program.expiry', 'program.adjustment', 'program.clearing'))
);

create table orders (
  environment_id uuid not null,
  source_reference text not null,
  program_id text not null,
  member_id uuid not null,
  transaction_id uuid not null,
  state text not null check (state in ('active', 'partially_returned', 'returned')),
  amount_minor bigint not null check (amount_minor >= 0),
  currency text not null,
  points bigint not null check (points >= 0),
  returned_minor bigint not null default 0,
  clawed_back bigint not null default 0,
  lines json,
  primary key (environment_id, source_reference),
  foreign key (environment_id, transaction_id) references transactions (environment_id, id),
  check (returned_minor between 0 and amount_minor),
  check (clawed_back between 0 and points)
);

-- Points that count against a limit (such as the member limit of a period), locked with the profile.
create table limit_counters (
  environment_id uuid not null,
  program_id text not null,
  member_id uuid not null,
  limit_id text not null,
  period_start timestamptz not null,
  points bigint not null check (points >= 0),
  primary key (environment_id, member_id, program_id, limit_id, period_start),
  foreign key (environment_id, member_id, program_id)
    references program_profiles (environment_id, member_id, program_id)
);

-- The receipt stands here, or in the transaction that it points to: never in both. No foreign key to environments:
-- every command of an environment would lock that one row.
create table idempotency_keys (
  environment_id uuid not null,
  operation text not null,
  key text not null,
  fingerprint bytea not null check (length(fingerprint) = 32),
  receipt json,
  transaction_id uuid,
  created_at timestamptz not null,
  primary key (environment_id, operation, key),
  foreign key (environment_id, transaction_id) references transactions (environment_id, id),
  check ((receipt is null) <> (transaction_id is null))
);

create table audit_events (
  environment_id uuid not null,
  id uuid not null,
  action text not null,
  target_type text not null,
  target_id text not null,
  actor_type text not null,
  actor_id text not null,
  request_id text not null,
  changes json not null,
  at timestamptz not null,
  primary key (environment_id, id)
);

create table webhook_endpoints (
  environment_id uuid not null references environments (id),
  id uuid not null,
  url text not null,
  event_types text[] not null check (cardinality(event_types) between 1 and 20),
  status text not null check (status in ('disabled', 'active')),
  -- The last sequence number that a delivery took: no gaps per endpoint.
  last_sequence bigint not null default 0,
  created_at timestamptz not null,
  primary key (environment_id, id)
);

-- Written in the transaction of the change that they report; sent later.
create table webhook_deliveries (
  environment_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  sequence bigint not null,
  event_type text not null,
  payload json not null,
  status text not null check (status in ('pending', 'delivered', 'failed', 'dead_letter')),
  created_at timestamptz not null,
  primary key (environment_id, id),
  unique (environment_id, endpoint_id, sequence),
  foreign key (environment_id, endpoint_id) references webhook_endpoints (environment_id, id)
);

-- Long-running work, such as an import.
create table operations (
  environment_id uuid not null references environments (id),
  id uuid not null,
  type text not null check (type in ('import', 'export', 'expiry_run', 'tier_run', 'exchange_settlement',
    'simulation')),
  status text not null check (status in ('queued', 'running', 'succeeded', 'failed')),
  progress_done bigint not null default 0,
  progress_total bigint,
  input json not null,
  result json,
  error json,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  primary key (environment_id, id)
);

-- The role that the server runs as: it owns nothing, and what is append-only it can only append to.
-- Roles belong to the whole cluster, so another database may have made it already, or be making it now.
do $$
begin
  if not exists (select from pg_roles where rolname = 'rewards_app') then
    create role rewards_app nologin;
  end if;
exception when duplicate_object or unique_violation then
  null;
end
$$;

grant select on all tables in schema public to rewards_app;
grant update (last_used_at) on api_keys to rewards_app;
grant insert, update on members, program_profiles, lots, orders, limit_counters, operations, webhook_endpoints,
  webhook_deliveries to rewards_app;
grant insert on transactions, idempotency_keys to rewards_app;
grant update (state, reversed_by) on transactions to rewards_app;
grant insert on postings, audit_events, consent_records to rewards_app;
