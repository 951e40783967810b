-- The data of events is not kept for ever: null where it was emptied.
alter table events alter column data drop not null;
grant update (data) on events to rewards_app;

alter table event_positions
  -- Events up to this position have been emptied, but for those that a delivery was given up of.
  add column emptied_position bigint not null default 0,
  -- Events up to this position have been emptied without exception.
  add column cleared_position bigint not null default 0;
grant update (emptied_position, cleared_position) on event_positions to rewards_app;

-- An event whose delivery was given up keeps its data for longer, so that it can be retried.
create index webhook_deliveries_dead_events on webhook_deliveries (environment_id, event_id) where status = 'dead_letter';
