-- Each purchase has an entry in this index, in no order, so that a third of its pages is empty: an entry without the id takes 27 bytes
-- less of them. Pages of lists read all transactions of the time that they end with, and order them by their ids; of one
-- member, they are few.
--
-- On a large database make the new index before, with CREATE INDEX CONCURRENTLY: docs/production.md, "Upgrades".

create index if not exists transactions_of_member_at on transactions (environment_id, member_id, created_at)
  where member_id is not null;
drop index transactions_by_member;
alter index transactions_of_member_at rename to transactions_by_member;
