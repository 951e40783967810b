-- References and idempotency keys that contained the externalCustomerId of a member who was erased, and that have got another
-- name by it. Who uses one of them again is refused, as before the erasure. They cannot be read: a hash is an HMAC-SHA-256 with
-- a secret of the environment.
create table erased_references (
  environment_id uuid not null references environments (id),
  hash bytea not null constraint erased_references_hash_check check (octet_length(hash) = 32),
  primary key (environment_id, hash)
);

grant select on erased_references to rewards_app;

-- The secret is made with the first such reference. Until then, there is nothing that commands would have to look for.
alter table environments add column reference_secret bytea;
