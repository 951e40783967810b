-- Which closed days `rewards verify ledger` has found right, by environment, with what ledger_days held of them: a later
-- run may begin after them. Administration alone writes it, so that the server cannot claim that its books were verified.
create table ledger_verifications (
  environment_id uuid primary key references environments (id),
  verified_through date not null,
  closed_rows bigint not null check (closed_rows >= 0),
  digest bytea not null check (length(digest) = 32),
  at timestamptz not null
);

grant select on ledger_verifications to rewards_app;
