-- The foreign keys of these columns are checked for each row that the reset of a Sandbox removes: without an index each check
-- would read the environment's whole table. Few rows have such a reference.
create index transactions_reversal_of on transactions (environment_id, reversal_of) where reversal_of is not null;
create index transactions_reversed_by on transactions (environment_id, reversed_by) where reversed_by is not null;
create index program_profiles_referred_by on program_profiles (environment_id, referred_by, program_id)
  where referred_by is not null;
