-- The program engine: what audiences look at, shared counters, referral, engagement events, challenges, choices.

alter table members
  -- Set by the merchant (`rewards member tag`, `rewards list import`): audiences look at them.
  add column tags text[] not null default '{}',
  add column lists text[] not null default '{}';

alter table program_profiles
  -- Where the tiers' window is rolling: qualification_points by UTC day.
  add column qualification_days json,
  -- When points next leave the window, or the tier may fall next.
  add column requalify_at timestamptz,
  add column purchase_count bigint not null default 0 check (purchase_count >= 0),
  add column purchase_amount_minor bigint not null default 0,
  add column first_purchase_at timestamptz,
  add column last_purchase_at timestamptz,
  -- The member's own code, given at enrollment.
  add column referral_code text,
  -- Who referred the member: set once, with the first purchase.
  add column referred_by uuid,
  add column referral_count bigint not null default 0 check (referral_count >= 0);

create index program_profiles_requalify on program_profiles (environment_id, requalify_at)
  where requalify_at is not null and enrolled;
-- What was counted until now is looked at once.
update program_profiles set requalify_at = clock_timestamp() where qualification_since is not null;

-- The history of those who have bought before.
update program_profiles p
set purchase_count = bought.purchases, purchase_amount_minor = bought.amount,
  first_purchase_at = bought.first_at, last_purchase_at = bought.last_at
from (
  select o.environment_id, o.member_id, o.program_id, count(*) as purchases,
    sum(o.amount_minor - o.returned_minor) as amount, min(t.occurred_at) as first_at, max(t.occurred_at) as last_at
  from orders o
  join transactions t on t.environment_id = o.environment_id and t.id = o.transaction_id
  group by o.environment_id, o.member_id, o.program_id
) bought
where p.environment_id = bought.environment_id and p.member_id = bought.member_id
  and p.program_id = bought.program_id;

create unique index program_profiles_referral_code
  on program_profiles (environment_id, program_id, referral_code) where referral_code is not null;

-- What many members take from together, each row locked while it is decided on: points of a campaign's total cap, uses
-- of a coupon, inventory of a choice.
create table shared_counters (
  environment_id uuid not null,
  program_id text not null,
  counter_id text not null,
  taken bigint not null check (taken >= 0),
  primary key (environment_id, program_id, counter_id),
  foreign key (environment_id, program_id) references programs (environment_id, id)
);

create table custom_events (
  environment_id uuid not null,
  id uuid not null,
  source_reference text not null,
  type text not null,
  member_id uuid not null,
  attributes json,
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  -- The whole first receipt: a repeated reference is answered with it.
  receipt json not null,
  primary key (environment_id, id),
  unique (environment_id, source_reference),
  foreign key (environment_id, member_id) references members (environment_id, id)
);

-- How far a member is in a challenge, in one window. Locked with the profile.
create table challenge_progress (
  environment_id uuid not null,
  program_id text not null,
  member_id uuid not null,
  challenge_id text not null,
  window_start timestamptz not null,
  -- Count or sum so far, in thousandths for sums.
  reached bigint not null check (reached >= 0),
  completions bigint not null check (completions >= 0),
  primary key (environment_id, member_id, program_id, challenge_id, window_start),
  foreign key (environment_id, member_id, program_id)
    references program_profiles (environment_id, member_id, program_id)
);

create table choice_grants (
  environment_id uuid not null,
  id uuid not null,
  program_id text not null,
  member_id uuid not null,
  choice_set_id text not null,
  -- `tier:gold` or `challenge:<id>#<completion>`: each milestone grants once.
  granted_by text not null,
  choices bigint not null check (choices > 0),
  remaining bigint not null check (remaining between 0 and choices),
  state text not null check (state in ('open', 'exhausted', 'expired')),
  granted_at timestamptz not null,
  expires_at timestamptz,
  primary key (environment_id, id),
  unique (environment_id, member_id, program_id, choice_set_id, granted_by),
  foreign key (environment_id, member_id, program_id)
    references program_profiles (environment_id, member_id, program_id),
  check ((state = 'exhausted') = (remaining = 0))
);
create index choice_grants_due on choice_grants (environment_id, expires_at) where state = 'open';

create table choice_claims (
  environment_id uuid not null,
  id uuid not null,
  source_reference text not null,
  grant_id uuid not null,
  program_id text not null,
  member_id uuid not null,
  choice_set_id text not null,
  reward_id text not null,
  claimed_at timestamptz not null,
  receipt json not null,
  primary key (environment_id, id),
  unique (environment_id, source_reference),
  foreign key (environment_id, grant_id) references choice_grants (environment_id, id)
);
create index choice_claims_of_grant on choice_claims (environment_id, grant_id);

grant select, insert, update on shared_counters, challenge_progress, choice_grants to rewards_app;
grant select, insert on custom_events, choice_claims to rewards_app;
