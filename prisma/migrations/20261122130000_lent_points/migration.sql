-- The reversal of a credit whose lot lacks points takes them from other lots of the member. Points that come back to the
-- credit's lot later belong to those lots.
alter table lots
  -- Points that reversals of credits took from this lot in place of the credit's own, and that have not come back.
  -- Negative on the lot of a reversed credit: what it still owes to such lots.
  add column lent bigint not null default 0,
  add constraint lots_lent_check
    check (lent >= -granted and pending + available + reserved + lent <= granted);

-- Reversals until now.
update lots
set lent = posted.points
from (
  select p.environment_id, p.member_id, p.program_id, p.lot_id,
    sum(case when p.credit_account = 'program.adjustment' then p.amount else -p.amount end) as points
  from adjustments a
  join postings p on p.environment_id = a.environment_id
    and p.transaction_id in (a.transaction_id, a.reversal_transaction_id)
  where a.direction = 'credit' and a.state = 'reversed'
  group by p.environment_id, p.member_id, p.program_id, p.lot_id
) as posted
where lots.environment_id = posted.environment_id and lots.member_id = posted.member_id
  and lots.program_id = posted.program_id and lots.id = posted.lot_id and posted.points <> 0;

-- By `lent`, so that a plan that was made without statistics reads it and not all lots of the profile.
create index lots_lent on lots (environment_id, member_id, program_id, lent) where lent > 0;
