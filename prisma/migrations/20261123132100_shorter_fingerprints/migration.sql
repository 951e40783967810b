-- Of a fingerprint 16 bytes are enough to tell whether an input is the same. Those that are stored keep their 32. The rows are checked by the next
-- migration, in a transaction of its own: this one stops all use of the table, for a moment.
alter table idempotency_keys drop constraint idempotency_keys_fingerprint_check;
alter table idempotency_keys add constraint idempotency_keys_fingerprint_check
  check (length(fingerprint) in (16, 32)) not valid;
