-- The epochs of each environment's feed. A promotion of an asynchronous standby, a restore and a copy take the last positions
-- back, which are then given again to other events; only the database's system identifier and timeline tell. Both are null
-- where they could not be read: then no epoch begins by itself.
create table feed_epochs (
  environment_id uuid not null references environments (id),
  epoch integer not null check (epoch >= 1),
  last_position_kept bigint not null check (last_position_kept >= 0),
  system_identifier text,
  timeline text,
  at timestamptz not null default clock_timestamp(),
  primary key (environment_id, epoch),
  check ((system_identifier is null) = (timeline is null))
);

grant select, insert on feed_epochs to rewards_app;
-- Only where they were not known when the epoch began.
grant update (system_identifier, timeline) on feed_epochs to rewards_app;

-- The epoch of the newest delivery, and of each one. A server of the release before leaves out the column: it knows epoch 1 alone.
alter table webhook_endpoints add column epoch integer not null default 1;
alter table webhook_deliveries add column epoch integer not null default 1;
grant update (epoch) on webhook_endpoints to rewards_app;

do $$
declare
  identifier text;
  line text;
begin
  begin
    select system_identifier::text, left(pg_walfile_name(pg_current_wal_lsn()), 8) into identifier, line
    from pg_control_system();
    execute 'grant execute on function pg_control_system() to rewards_app';
  exception when others then
    -- A hosted database may allow neither.
    null;
  end;
  -- On Citus each environment is on a node of its own, which this session does not see.
  if exists (select from pg_extension where extname = 'citus') then
    identifier := null;
    line := null;
  end if;
  insert into feed_epochs (environment_id, epoch, last_position_kept, system_identifier, timeline)
  select id, 1, 0, identifier, line from environments;
end
$$;
