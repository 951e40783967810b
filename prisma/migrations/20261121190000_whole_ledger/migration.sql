-- The whole ledger: returns, lots in time, redemptions, adjustments, roll-ups for the close, approvals of finance.
-- The rules of the foundation hold here too: environment_id first in every key, guards are constraints and privileges.

-- Cursors of lists are signed with it, so that each stays in its environment.
alter table environments add column cursor_secret bytea not null
  default decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex');

-- The first instant at which points of the profile may change by themselves: an activation, an expiry, the end of a
-- hold. Never later than the true one, so that a profile with a later one (or none) shows its true balances.
alter table program_profiles
  add column next_due_at timestamptz,
  -- Points under an inactivity policy live on from here.
  add column last_activity_at timestamptz;

-- Profiles with lots that are to change are looked at once, and then know when next.
update program_profiles p set next_due_at = clock_timestamp()
where exists (
  select from lots l
  where l.environment_id = p.environment_id and l.member_id = p.member_id and l.program_id = p.program_id
    and ((l.pending > 0 and l.activates_at is not null) or (l.available > 0 and l.expires_at is not null))
);

create index program_profiles_due on program_profiles (environment_id, next_due_at) where next_due_at is not null;

alter table lots
  -- Days after the member's last activity at which the lot expires; null where its expiry is fixed.
  add column inactivity_days integer check (inactivity_days > 0),
  -- Due to a return and not there when it was recorded: points that come back to the lot pay it first.
  add column claimed bigint not null default 0 check (claimed >= 0),
  -- What is held may be claimed, what is there is taken at once.
  add constraint lots_claimed_granted_check check (pending + available + claimed <= granted);

-- A reward may be paid out of very many small lots.
alter table postings alter column line type integer;

-- Spending walks a profile's open lots soonest-expiring first.
create index lots_open on lots (environment_id, member_id, program_id, (coalesce(expires_at, 'infinity')), id)
  where available > 0;
create index lots_pending on lots (environment_id, member_id, program_id, activates_at) where pending > 0;
create index lots_reserved on lots (environment_id, member_id, program_id) where reserved > 0;

create index transactions_by_time on transactions (environment_id, created_at, id);
-- A program with few transactions beside one with very many.
create index transactions_by_program on transactions (environment_id, program_id, created_at, id);
create index transactions_by_member on transactions (environment_id, member_id, created_at, id);
create index transactions_by_event_type on transactions (environment_id, event_type, created_at, id)
  where event_type <> 'purchase.completed';
create index transactions_by_reference on transactions (environment_id, source_reference)
  where source_reference is not null;
create index transactions_reversed on transactions (environment_id, created_at, id) where state = 'reversed';

-- Append-only and in the order of time, so that a summary of blocks finds a period.
create index postings_by_time on postings using brin (created_at) with (pages_per_range = 16, autosummarize = on);

-- Quantities of each line that have been returned, by lineReference.
alter table orders add column returned_lines json;

create table returns (
  environment_id uuid not null,
  return_reference text not null,
  source_reference text not null,
  transaction_id uuid not null,
  return_amount_minor bigint not null check (return_amount_minor >= 0),
  points_clawed_back bigint not null check (points_clawed_back >= 0),
  -- What was due and not there at the time.
  shortfall bigint not null check (shortfall >= 0),
  created_at timestamptz not null,
  primary key (environment_id, return_reference),
  foreign key (environment_id, source_reference) references orders (environment_id, source_reference),
  foreign key (environment_id, transaction_id) references transactions (environment_id, id)
);
create index returns_of_order on returns (environment_id, source_reference);

create table redemption_quotes (
  environment_id uuid not null,
  id uuid not null,
  program_id text not null,
  member_id uuid not null,
  reward_id text not null,
  source_reference text not null,
  state text not null check (state in ('quoted', 'reserved', 'expired', 'cancelled')),
  points bigint not null check (points > 0),
  terms json not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  primary key (environment_id, id),
  foreign key (environment_id, member_id, program_id)
    references program_profiles (environment_id, member_id, program_id)
);
create index redemption_quotes_open on redemption_quotes (environment_id, member_id, program_id, expires_at)
  where state = 'quoted';
create index redemption_quotes_expiring on redemption_quotes (environment_id, expires_at) where state = 'quoted';

create table redemption_reservations (
  environment_id uuid not null,
  id uuid not null,
  quote_id uuid not null,
  program_id text not null,
  member_id uuid not null,
  reward_id text not null,
  source_reference text not null,
  state text not null check (state in ('reserved', 'committed', 'released', 'expired', 'reversed')),
  points bigint not null check (points > 0),
  terms json not null,
  -- The transaction that holds the points: its postings name the lots.
  reserve_transaction_id uuid not null,
  commit_transaction_id uuid,
  -- The newest one: of the reservation, commit, release, expiry or reversal.
  transaction_id uuid not null,
  authorization_reference text,
  reason text,
  cancellation_evidence json,
  fulfillment_status text check (fulfillment_status in ('pending', 'shipped', 'delivered', 'failed')),
  fulfillment_reference text,
  reserved_at timestamptz not null,
  expires_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (environment_id, id),
  -- A quote is reserved once.
  unique (environment_id, quote_id),
  foreign key (environment_id, quote_id) references redemption_quotes (environment_id, id),
  foreign key (environment_id, member_id, program_id)
    references program_profiles (environment_id, member_id, program_id),
  foreign key (environment_id, reserve_transaction_id) references transactions (environment_id, id),
  foreign key (environment_id, commit_transaction_id) references transactions (environment_id, id),
  foreign key (environment_id, transaction_id) references transactions (environment_id, id),
  check ((state in ('committed', 'reversed')) = (commit_transaction_id is not null))
);
create index redemption_reservations_open on redemption_reservations (environment_id, member_id, program_id)
  where state = 'reserved';

create table redemption_disputes (
  environment_id uuid not null,
  id uuid not null,
  reservation_id uuid not null,
  state text not null check (state in ('open', 'resolved', 'rejected')),
  reason text not null,
  evidence json,
  resolution text,
  opened_at timestamptz not null,
  closed_at timestamptz,
  primary key (environment_id, id),
  foreign key (environment_id, reservation_id) references redemption_reservations (environment_id, id),
  check ((state = 'open') = (closed_at is null))
);
create index redemption_disputes_of_reservation on redemption_disputes (environment_id, reservation_id, opened_at);

-- How many of a reward are held or spent. A reward without inventory has no row.
create table reward_stocks (
  environment_id uuid not null,
  program_id text not null,
  reward_id text not null,
  taken bigint not null check (taken >= 0),
  primary key (environment_id, program_id, reward_id),
  foreign key (environment_id, program_id) references programs (environment_id, id)
);

create table adjustments (
  environment_id uuid not null,
  id uuid not null,
  program_id text not null,
  member_id uuid not null,
  direction text not null check (direction in ('credit', 'debit')),
  points bigint not null check (points > 0),
  reason text not null,
  evidence json not null,
  state text not null check (state in ('requested', 'posted', 'rejected', 'reversed', 'expired')),
  requested_by text not null,
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  decided_by text,
  decided_at timestamptz,
  decision_reason text,
  reversed_by text,
  transaction_id uuid,
  reversal_transaction_id uuid,
  primary key (environment_id, id),
  foreign key (environment_id, member_id) references members (environment_id, id),
  foreign key (environment_id, program_id) references programs (environment_id, id),
  foreign key (environment_id, transaction_id) references transactions (environment_id, id),
  foreign key (environment_id, reversal_transaction_id) references transactions (environment_id, id),
  -- Two persons: who asks does not approve. Withdrawing one's own request moves nothing, and may be done.
  constraint two_persons_approve check (state = 'rejected' or decided_by <> requested_by),
  constraint two_persons_reverse check (reversed_by <> requested_by),
  check ((state in ('posted', 'reversed')) = (transaction_id is not null)),
  check ((state = 'reversed') = (reversal_transaction_id is not null)),
  check ((state in ('posted', 'rejected', 'reversed')) = (decided_by is not null))
);
create index adjustments_open on adjustments (environment_id, expires_at) where state = 'requested';

-- Closed days, rolled up from the postings so that a report over a period costs what the period costs. Kept by a job,
-- compared with the postings by `rewards verify ledger`. Days are those of UTC.
create table ledger_days (
  environment_id uuid not null,
  program_id text not null,
  day date not null,
  debit_account text not null,
  credit_account text not null,
  event_type text not null,
  amount numeric not null check (amount > 0),
  postings bigint not null check (postings > 0),
  -- Those whose first posting is among these, so that their sum counts each once.
  transactions bigint not null check (transactions >= 0),
  primary key (environment_id, program_id, day, debit_account, credit_account, event_type)
);

-- What a member held at the end of a day on which something moved, and what moved on it.
create table member_days (
  environment_id uuid not null,
  program_id text not null,
  member_id uuid not null,
  day date not null,
  available bigint not null,
  pending bigint not null,
  reserved bigint not null,
  available_moved bigint not null,
  pending_moved bigint not null,
  reserved_moved bigint not null,
  primary key (environment_id, program_id, member_id, day)
);
-- By blocks, as postings: an index that begins like the primary key would be taken for it where a member is looked up.
create index member_days_by_day on member_days using brin (day) with (pages_per_range = 8, autosummarize = on);

-- The last day that is rolled up.
create table ledger_rollups (
  environment_id uuid primary key references environments (id),
  closed_through date not null,
  at timestamptz not null
);

-- Finance signs off what a report values points by: a section of a published configuration, by someone other than
-- who published it. Bound to the section's content, so that it holds for later versions that do not change it.
create table finance_approvals (
  environment_id uuid not null,
  id uuid not null,
  program_id text not null,
  version integer not null,
  section text not null check (section in ('finance', 'journal')),
  section_hash bytea not null check (length(section_hash) = 32),
  published_by text not null,
  approved_by text not null,
  approved_at timestamptz not null,
  primary key (environment_id, id),
  unique (environment_id, program_id, section, section_hash),
  foreign key (environment_id, program_id, version) references program_versions (environment_id, program_id, version),
  constraint two_persons_sign check (approved_by <> published_by)
);

grant select on returns, redemption_quotes, redemption_reservations, redemption_disputes, reward_stocks, adjustments,
  ledger_days, member_days, ledger_rollups, finance_approvals to rewards_app;
grant insert on returns to rewards_app;
grant insert, update on redemption_quotes, redemption_reservations, redemption_disputes, reward_stocks, adjustments
  to rewards_app;
grant insert, update on ledger_rollups to rewards_app;
grant insert on ledger_days, member_days to rewards_app;
