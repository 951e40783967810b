-- Reads the table, and stops neither reads nor writes of it.
alter table idempotency_keys validate constraint idempotency_keys_fingerprint_check;
