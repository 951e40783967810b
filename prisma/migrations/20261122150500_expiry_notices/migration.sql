-- Which lots the members' points.expiring events have told of. A table of its own, so that a purchase writes nothing of it.
create table expiry_notices (
  environment_id uuid not null,
  member_id uuid not null,
  program_id text not null,
  lot_id uuid not null,
  -- The expiry that was told of. A lot that is extended later is not told of again.
  expires_at timestamptz not null,
  noticed_at timestamptz not null,
  primary key (environment_id, member_id, program_id, lot_id),
  foreign key (environment_id, member_id, program_id, lot_id)
    references lots (environment_id, member_id, program_id, id)
);
grant select, insert on expiry_notices to rewards_app;
