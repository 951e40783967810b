-- Erasures rename settlements: the foreign keys then look for the rows that refer to the old name.
create index exchange_settlements_reverses on exchange_settlements (environment_id, reverses) where reverses is not null;
create index exchange_settlements_reversed_by on exchange_settlements (environment_id, reversed_by)
  where reversed_by is not null;
