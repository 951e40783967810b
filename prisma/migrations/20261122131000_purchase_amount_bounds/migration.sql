-- The sum of a member's purchases less its returns is exact: a purchase that would take it beyond 2^53-1 is refused.
-- Until now the sum stopped at 2^53-1 while returns took their whole amounts off, so it could become too small, even
-- negative. Such a sum is computed again from the orders.
update program_profiles p
set purchase_amount_minor = least(bought.amount, 9007199254740991)
from (
  select environment_id, member_id, program_id, sum(amount_minor - returned_minor) as amount
  from orders
  group by environment_id, member_id, program_id
) bought
where p.environment_id = bought.environment_id and p.member_id = bought.member_id
  and p.program_id = bought.program_id and p.purchase_amount_minor <> bought.amount;

alter table program_profiles
  add constraint program_profiles_purchase_amount_check
    check (purchase_amount_minor between 0 and 9007199254740991);
