-- The clock of a Sandbox can be moved: it runs ahead of the real time, or stands at a later instant until the real time has
-- reached that. Everything of the environment goes by it. Production has the real time alone.
alter table environments
  add column clock_ahead_ms bigint not null default 0,
  add column clock_stands_at timestamptz,
  add constraint environments_clock_check check (
    clock_ahead_ms >= 0
    and (clock_ahead_ms = 0 or clock_stands_at is null)
    and (kind = 'sandbox' or clock_ahead_ms = 0 and clock_stands_at is null)
  );

grant update (clock_ahead_ms, clock_stands_at) on environments to rewards_app;
