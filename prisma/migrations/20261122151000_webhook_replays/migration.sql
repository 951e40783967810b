-- Replays of webhook deliveries, as operations that wait until a serving process takes them up.
alter table operations drop constraint operations_type_check;
alter table operations add check (type in ('import', 'export', 'expiry_run', 'tier_run', 'exchange_settlement',
  'simulation', 'webhook_replay'));
-- They begin when they are taken up, which may be later than they were asked for.
grant update (started_at) on operations to rewards_app;

create index operations_queued on operations (type, created_at, id) where status = 'queued';
