-- Two accounts of one person: the source is merged into the target, and its names answer for the target from then on.

-- The member that this one was merged into. It always names the last one of a chain, so that one step finds it.
alter table members
  add column merged_into uuid,
  add constraint members_merged_into_check check (merged_into <> id),
  add constraint members_merged_into_fkey foreign key (environment_id, merged_into)
    references members (environment_id, id);
create index members_merged_into on members (environment_id, merged_into) where merged_into is not null;
grant update (merged_into) on members to rewards_app;

-- Of a lot that a merge has moved: the lot that was granted to begin with. It has the same dates and transaction.
alter table lots add column origin_lot_id uuid;
create index lots_origin on lots (environment_id, origin_lot_id) where origin_lot_id is not null;

-- Points on their way from one member to another one of the same program; each transfer puts in what it takes out.
alter table postings
  drop constraint postings_debit_account_check,
  drop constraint postings_credit_account_check,
  add constraint postings_debit_account_check check (debit_account in ('member.available', 'member.pending',
    'member.reserved', 'program.issuance', 'program.redemption', 'program.expiry', 'program.adjustment',
    'program.clearing', 'program.transfer')) not valid,
  add constraint postings_credit_account_check check (credit_account in ('member.available', 'member.pending',
    'member.reserved', 'program.issuance', 'program.redemption', 'program.expiry', 'program.adjustment',
    'program.clearing', 'program.transfer')) not valid;
alter table postings validate constraint postings_debit_account_check;
alter table postings validate constraint postings_credit_account_check;

create table member_merges (
  environment_id uuid not null,
  id uuid not null,
  source_member_id uuid not null,
  target_member_id uuid not null,
  reason text not null,
  evidence json not null,
  state text not null check (state in ('requested', 'merged', 'rejected')),
  -- A principal, as is decided_by.
  requested_by text not null,
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  decided_by text,
  decided_at timestamptz,
  -- Of the decision.
  decision_reason text,
  primary key (environment_id, id),
  constraint member_merges_source_fkey foreign key (environment_id, source_member_id)
    references members (environment_id, id),
  constraint member_merges_target_fkey foreign key (environment_id, target_member_id)
    references members (environment_id, id),
  constraint member_merges_members_check check (source_member_id <> target_member_id),
  constraint member_merges_decided_check check ((state = 'requested') = (decided_by is null)),
  constraint two_persons_merge check (state = 'rejected' or decided_by <> requested_by)
);

grant select, insert, update (state, decided_by, decided_at, decision_reason) on member_merges to rewards_app;
