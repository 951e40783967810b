-- Redemptions whose points pay for a discount can be reversed in parts.
alter table redemption_reservations
  -- How much of the discount was reversed, in minor currency units.
  add column reversed_minor bigint not null default 0,
  -- How many of the points reversals have given back.
  add column reversed_points bigint not null default 0,
  add constraint redemption_reservations_reversed_check
    check (reversed_minor >= 0 and reversed_points between 0 and points);

-- Until now redemptions were reversed as a whole.
update redemption_reservations set reversed_points = points where state = 'reversed';

grant update (reversed_minor, reversed_points) on redemption_reservations to rewards_app;
