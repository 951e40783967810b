-- A merge of two accounts can be undone for 30 days, where nothing of what was moved has been used.

alter table member_merges
  -- A principal, as is unmerged_by.
  add column unmerge_requested_by text,
  add column unmerge_requested_at timestamptz,
  add column unmerge_reason text,
  add column unmerge_expires_at timestamptz,
  add column unmerged_by text,
  add column unmerged_at timestamptz,
  -- Of the decision to unmerge.
  add column unmerge_decision_reason text,
  drop constraint member_merges_state_check,
  add constraint member_merges_state_check
    check (state in ('requested', 'merged', 'rejected', 'unmerge_requested', 'unmerged')),
  add constraint member_merges_unmerge_check
    check ((state in ('unmerge_requested', 'unmerged')) = (unmerge_requested_by is not null)),
  add constraint member_merges_unmerged_check check ((state = 'unmerged') = (unmerged_by is not null)),
  add constraint two_persons_unmerge check (unmerged_by <> unmerge_requested_by),
  add constraint unmerged_in_time check (unmerged_at < unmerge_expires_at);

grant update (unmerge_requested_by, unmerge_requested_at, unmerge_reason, unmerge_expires_at, unmerged_by, unmerged_at,
  unmerge_decision_reason) on member_merges to rewards_app;

-- What a merge has changed, as an unmerge needs it: rows of before and ids, no text that anybody typed.
create table merge_undos (
  environment_id uuid not null,
  merge_id uuid not null,
  undo json not null,
  primary key (environment_id, merge_id),
  constraint merge_undos_merge_fkey foreign key (environment_id, merge_id) references member_merges (environment_id, id)
);

grant select, insert on merge_undos to rewards_app;

-- The lots of a profile that came from another one: an account that is merged again finds those of the first time. The
-- condition says that origin_lot_id is not null in a way that keeps look-ups from the index lots_origin.
create index lots_moved on lots (environment_id, member_id, program_id) where coalesce(origin_lot_id, id) <> id;

-- What marks a tier that an account had reached which was given back.
grant update (granted_by) on choice_grants to rewards_app;
