-- People of a tenant, what they may do, and how they sign in. None of these tables has an environment_id: on Citus each
-- node has all of them. A role in one environment names it in in_environment, without a foreign key: what belongs to no
-- environment cannot refer to a distributed table.
create table people (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null,
  -- In lower case: one spelling is one person.
  email text not null,
  status text not null check (status in ('active', 'suspended')),
  added_by text not null,
  added_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, email)
);

create table person_roles (
  tenant_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  -- Null: in every environment of the tenant.
  in_environment uuid,
  role text not null,
  given_by text not null,
  given_at timestamptz not null,
  taken_by text,
  taken_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, person_id) references people (tenant_id, id),
  check ((taken_by is null) = (taken_at is null))
);
create unique index person_roles_in_force on person_roles (tenant_id, person_id, role, in_environment) nulls not distinct
  where taken_at is null;

-- Each is good once. Only a hash of its token is here.
create table sign_in_links (
  token_hash bytea not null primary key check (length(token_hash) = 32),
  tenant_id uuid not null,
  person_id uuid not null,
  made_by text not null,
  made_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  foreign key (tenant_id, person_id) references people (tenant_id, id)
);

create table person_sessions (
  tenant_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  -- SHA-256 of the cookie's value.
  secret_hash bytea not null unique check (length(secret_hash) = 32),
  begun_at timestamptz not null,
  last_used_at timestamptz not null,
  -- It ends then at the latest.
  expires_at timestamptz not null,
  ended_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, person_id) references people (tenant_id, id)
);
create index person_sessions_open on person_sessions (tenant_id, person_id) where ended_at is null;

-- What was changed of a tenant's people, and who signed in and out. Nobody may change or remove a row.
create table tenant_audit_events (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  action text not null,
  target_type text not null,
  target_id text not null,
  actor_type text not null,
  actor_id text not null,
  request_id text not null,
  changes json not null,
  at timestamptz not null,
  primary key (tenant_id, at, id)
);

grant select on people, person_roles, person_sessions to rewards_app;
grant update (last_used_at) on person_sessions to rewards_app;
grant select on people, person_roles, person_sessions, sign_in_links, tenant_audit_events to rewards_operator;
grant insert on people, person_roles, person_sessions, sign_in_links, tenant_audit_events to rewards_operator;
grant update (status) on people to rewards_operator;
grant update (taken_by, taken_at) on person_roles to rewards_operator;
grant update (used_at) on sign_in_links to rewards_operator;
grant update (ended_at) on person_sessions to rewards_operator;
