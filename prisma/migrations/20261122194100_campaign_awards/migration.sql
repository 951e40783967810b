-- What campaigns gave, purchase by purchase, and what was withheld, for the reports of campaigns.
create table campaign_awards (
  environment_id uuid not null,
  program_id text not null,
  campaign_id text not null,
  member_id uuid not null,
  transaction_id uuid not null,
  -- Whether the campaign is withheld from the member.
  held_out boolean not null,
  -- What the campaign gave.
  points bigint not null check (points >= 0 and (points = 0 or not held_out)),
  -- What the purchase earned in all.
  earned_points bigint not null check (earned_points >= points),
  amount_minor bigint not null check (amount_minor >= 0),
  primary key (environment_id, transaction_id, campaign_id),
  constraint campaign_awards_transaction_fkey foreign key (environment_id, transaction_id)
    references transactions (environment_id, id)
);

-- The report of a campaign reads this index alone, member by member.
create index campaign_awards_of_campaign on campaign_awards
  (environment_id, program_id, campaign_id, member_id, held_out, points, earned_points, amount_minor);

grant select, insert on campaign_awards to rewards_app;

-- What campaigns have given so far.
insert into campaign_awards (environment_id, program_id, campaign_id, member_id, transaction_id, held_out, points,
  earned_points, amount_minor)
select t.environment_id, t.program_id, said.campaign_id, t.member_id, t.id as transaction_id, said.held_out,
  said.points, t.points as earned_points, (t.receipt #>> '{evidence,amountMinor}')::bigint as amount_minor
from transactions t
cross join lateral (
  select given."campaignId" as campaign_id, false as held_out, given.points
  from json_to_recordset(t.receipt -> 'campaigns') as given("campaignId" text, points bigint)
  union all
  select decision.id, decision.matched, 0
  from json_to_recordset(t.receipt -> 'ruleDecisions') as decision(kind text, id text, matched boolean)
  where decision.kind = 'campaign_holdout' and not exists (
    select from json_to_recordset(t.receipt -> 'campaigns') as given("campaignId" text)
    where given."campaignId" = decision.id
  )
) said
where t.event_type = 'purchase.completed';
