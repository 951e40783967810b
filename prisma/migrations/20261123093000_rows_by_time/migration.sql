-- `rewards verify ledger --since` and the export of lots look for rows of a time. These tables are written in the order of time, so that
-- a few pages of such an index find the rows, and it costs next to nothing to keep.
create index lots_by_time on lots using brin (created_at)
  with (pages_per_range = 32, autosummarize = on);
create index idempotency_keys_by_time on idempotency_keys using brin (created_at)
  with (pages_per_range = 32, autosummarize = on);
create index redemption_quotes_by_time on redemption_quotes using brin (created_at)
  with (pages_per_range = 32, autosummarize = on);
create index redemption_reservations_by_time on redemption_reservations using brin (reserved_at)
  with (pages_per_range = 32, autosummarize = on);
-- Orders have no time. The ids of their transactions are in its order.
create index orders_by_transaction on orders using brin (transaction_id)
  with (pages_per_range = 32, autosummarize = on);
