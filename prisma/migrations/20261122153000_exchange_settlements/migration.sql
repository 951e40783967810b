-- Points that are exchanged with partners. A settlement is recorded once under its reference; its reversal is one more
-- settlement, under a reference of its own.
create table exchange_settlements (
  environment_id uuid not null,
  settlement_reference text not null,
  program_id text not null,
  member_id uuid not null,
  partner_id text not null,
  -- in: points of the partner become points of the program. A reversal has the direction of what it reverses.
  direction text not null check (direction in ('in', 'out')),
  points bigint not null constraint exchange_settlements_points_check check (points > 0),
  transaction_id uuid not null,
  -- The settlement that this one reverses, and the one that reverses this one.
  reverses text,
  reversed_by text,
  created_at timestamptz not null,
  primary key (environment_id, settlement_reference),
  constraint exchange_settlements_transaction_fkey
    foreign key (environment_id, transaction_id) references transactions (environment_id, id),
  constraint exchange_settlements_profile_fkey
    foreign key (environment_id, member_id, program_id)
    references program_profiles (environment_id, member_id, program_id),
  constraint exchange_settlements_reverses_fkey
    foreign key (environment_id, reverses) references exchange_settlements (environment_id, settlement_reference),
  constraint exchange_settlements_reversed_by_fkey
    foreign key (environment_id, reversed_by) references exchange_settlements (environment_id, settlement_reference),
  constraint exchange_settlements_reversal_check check (reverses is null or reversed_by is null)
);

grant select, insert on exchange_settlements to rewards_app;
grant update (reversed_by) on exchange_settlements to rewards_app;
