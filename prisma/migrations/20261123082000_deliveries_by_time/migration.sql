-- The ledger summary counts the deliveries of its window. They are written in the order of time, so that a few pages of this
-- index find them, and it costs next to nothing to keep.
create index webhook_deliveries_by_time on webhook_deliveries using brin (created_at);
