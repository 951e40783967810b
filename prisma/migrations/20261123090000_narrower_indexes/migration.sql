-- Nearly every purchase has an entry in these indexes. In the order of time alone, Postgres stores the time of a batch once for all
-- of its transactions; rows of the same time are sorted by id when they are read, and they are few. Where a few rows are
-- expected, as of one member, Postgres would rather sort all of them: transactions_by_member and transactions_reversed keep the
-- id. A purchase is found under its reference by its order.
--
-- On a large database make the new indexes before, with CREATE INDEX CONCURRENTLY: docs/production.md, "Upgrades".

create index if not exists transactions_at on transactions (environment_id, created_at)
  where created_at > '-infinity';
drop index transactions_by_time;
alter index transactions_at rename to transactions_by_time;

create index if not exists transactions_of_program_at on transactions (environment_id, program_id, created_at)
  where program_id is not null;
drop index transactions_by_program;
alter index transactions_of_program_at rename to transactions_by_program;

create index if not exists transactions_of_type_at on transactions (environment_id, event_type, created_at)
  where event_type <> 'purchase.completed';
drop index transactions_by_event_type;
alter index transactions_of_type_at rename to transactions_by_event_type;

create index if not exists transactions_but_purchases on transactions (environment_id, source_reference)
  where source_reference is not null and event_type <> 'purchase.completed';
drop index transactions_by_reference;
alter index transactions_but_purchases rename to transactions_by_reference;
