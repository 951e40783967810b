-- What a merge has moved, by program, as its receipt says: lists of merges show it too.
alter table member_merges add column programs json not null default '[]';
alter table member_merges alter column programs drop default;
grant update (programs) on member_merges to rewards_app;

-- The queue of the requests, and what was rejected. The second condition keeps the index from the look-ups of commands.
create index member_merges_by_state on member_merges (environment_id, state, id)
  where state <> 'merged' and id is not null;
