-- Events carry the version of the profile that they are about, so that a receiver recognises an older one.
alter table program_profiles
  -- Counts the writes of the profile, from 1. The default is constant, so no row is rewritten.
  add column version bigint not null default 1;
grant update (version) on program_profiles to rewards_app;
