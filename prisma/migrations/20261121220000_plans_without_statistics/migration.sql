-- Prepared statements are planned once, mostly while a table is small or has no statistics. Then the planner expects one
-- row or so of an environment, and an index that shares environment_id with a look-up and nothing else costs as much as
-- the one that is meant for it: it came to be walked for all of the environment. As partial indexes, of every row, these
-- can be taken only by who names their next column as well.

alter table members drop constraint members_environment_id_external_customer_id_key;
create unique index members_external_customer_id on members (environment_id, external_customer_id)
  where external_customer_id is not null;

drop index transactions_by_time;
create index transactions_by_time on transactions (environment_id, created_at, id)
  where created_at > '-infinity';
drop index transactions_by_program;
create index transactions_by_program on transactions (environment_id, program_id, created_at, id)
  where program_id is not null;
drop index transactions_by_member;
create index transactions_by_member on transactions (environment_id, member_id, created_at, id)
  where member_id is not null;

alter table redemption_reservations drop constraint redemption_reservations_environment_id_quote_id_key;
create unique index redemption_reservations_of_quote on redemption_reservations (environment_id, quote_id)
  where quote_id is not null;

drop index redemption_quotes_expiring;
create index redemption_quotes_expiring on redemption_quotes (environment_id, expires_at)
  where state = 'quoted' and expires_at is not null;

drop index choice_grants_due;
create index choice_grants_due on choice_grants (environment_id, expires_at)
  where state = 'open' and expires_at is not null;

alter table choice_grants
  drop constraint choice_grants_environment_id_member_id_program_id_choice_se_key;
create unique index choice_grants_of_member
  on choice_grants (environment_id, member_id, program_id, choice_set_id, granted_by) where member_id is not null;

alter table choice_claims drop constraint choice_claims_environment_id_source_reference_key;
create unique index choice_claims_by_reference on choice_claims (environment_id, source_reference)
  where source_reference is not null;
drop index choice_claims_of_grant;
create index choice_claims_of_grant on choice_claims (environment_id, grant_id) where grant_id is not null;

alter table custom_events drop constraint custom_events_environment_id_source_reference_key;
create unique index custom_events_by_reference on custom_events (environment_id, source_reference)
  where source_reference is not null;

drop index returns_of_order;
create index returns_of_order on returns (environment_id, source_reference) where source_reference is not null;
