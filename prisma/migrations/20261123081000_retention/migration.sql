-- Up to which quote the job has removed those that are old enough and were not reserved. Ids of quotes sort by time.
create table retention_positions (
  environment_id uuid primary key references environments (id),
  last_quote_id uuid not null
);

grant select, insert on retention_positions to rewards_app;
grant update (last_quote_id) on retention_positions to rewards_app;

-- The foreign key of its reservation keeps a quote that was reserved.
grant delete on redemption_quotes to rewards_app;
