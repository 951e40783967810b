-- Receipts of purchases are nearly the same for very many purchases. What they have in common is stored once, as a template;
-- transactions.receipt then has the id of the template under "template", and its own values. Receipts that are stored whole
-- stay as they are.
create table receipt_templates (
  environment_id uuid not null,
  -- A part of the SHA-256 of the template's text.
  id text collate "C" not null,
  -- Not jsonb: the values are in the order of its fields.
  template json not null,
  primary key (environment_id, id)
);

grant select, insert on receipt_templates to rewards_app;
