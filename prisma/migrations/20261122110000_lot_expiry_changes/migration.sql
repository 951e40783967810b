-- A lot's expiry may move: activity and grace days give its points more time. The close of a period that is over values
-- points by the month in which they were to expire as its end knew it, so that each move keeps what held before.
create table lot_expiry_changes (
  environment_id uuid not null,
  program_id text not null,
  member_id uuid not null,
  lot_id uuid not null,
  changed_at timestamptz not null,
  -- What held until then.
  expires_at timestamptz not null,
  -- In the order in which a close reads them: all of a program's since the end of a period.
  primary key (environment_id, program_id, changed_at, lot_id),
  foreign key (environment_id, member_id, program_id, lot_id)
    references lots (environment_id, member_id, program_id, id)
);

grant select, insert on lot_expiry_changes to rewards_app;
