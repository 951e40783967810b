-- What progress was counted toward: a version that changes a challenge's goal or window has it counted anew. Null for
-- progress from before, which is taken to be of the goal at hand.
alter table challenge_progress add column goal text;
