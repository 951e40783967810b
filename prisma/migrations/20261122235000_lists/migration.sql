-- What the lists of members, redemptions and adjustments are read by. Most of the indexes are partial: what is usual pays
-- nothing for them. A condition that a column is not null keeps them from the look-ups of commands, as in
-- plans_without_statistics.

-- Compared by bytes, the unique index finds the ids that begin with a text, in any locale of the database. The rows are
-- not rewritten.
alter table members alter column external_customer_id type text collate "C";

-- Names, whatever their case.
create index members_by_name on members (environment_id, (lower(display_name)) collate "C", id)
  where display_name is not null;
create index members_inactive on members (environment_id, status, id) where status <> 'active';
create index members_labelled on members (environment_id, id) where tags <> '{}' or lists <> '{}';
create index program_profiles_by_tier on program_profiles (environment_id, program_id, tier, member_id)
  where enrolled and tier is not null;

-- The open ones of a member have an index of their own, so that a reservation is entered in the first one once, when it
-- ends; who does not name the member cannot take it any more.
create index redemption_reservations_of_member on redemption_reservations (environment_id, member_id, id)
  where state <> 'reserved' and id is not null;
drop index redemption_reservations_open;
create index redemption_reservations_open on redemption_reservations (environment_id, member_id, program_id)
  where state = 'reserved' and member_id is not null;
create index redemption_reservations_by_state on redemption_reservations (environment_id, state, id)
  where state <> 'committed' and id is not null;
create index redemption_reservations_to_fulfill on redemption_reservations (environment_id, fulfillment_status, id)
  where fulfillment_status <> 'delivered' and id is not null;
create index redemption_disputes_by_state on redemption_disputes (environment_id, state, reservation_id)
  where state is not null;

create index adjustments_by_state on adjustments (environment_id, state, id)
  where state <> 'posted' and id is not null;
create index adjustments_of_member on adjustments (environment_id, member_id, id) where member_id is not null;
-- As it was, but for the job that expires requests.
drop index adjustments_open;
create index adjustments_open on adjustments (environment_id, expires_at)
  where state = 'requested' and expires_at is not null;
