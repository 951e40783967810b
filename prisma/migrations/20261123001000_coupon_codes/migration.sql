-- Pools of codes: coupons of which every customer, or every purchase, has a code of its own.

-- The key of the hashes of codes. It is made with the first codes of the environment.
alter table environments add column coupon_secret bytea
  constraint environments_coupon_secret_check check (octet_length(coupon_secret) = 32);

-- Codes cannot be read from it: code_hash is the first half of an HMAC-SHA-256 with the environment's coupon_secret.
create table coupon_codes (
  environment_id uuid not null,
  program_id text not null,
  code_hash uuid not null,
  -- The `code` of the coupon in the program's document whose pool it is in.
  pool_id text not null,
  -- The beginning of the code, to search by and to show.
  prefix text collate "C" not null,
  uses integer not null,
  uses_allowed integer not null constraint coupon_codes_uses_allowed_check check (uses_allowed > 0),
  -- The only member who may redeem it; null for anyone.
  assigned_to uuid,
  disabled_at timestamptz,
  created_at timestamptz not null,
  primary key (environment_id, program_id, code_hash),
  constraint coupon_codes_uses_check check (uses >= 0 and uses <= uses_allowed),
  constraint coupon_codes_program_fkey
    foreign key (environment_id, program_id) references programs (environment_id, id),
  constraint coupon_codes_member_fkey
    foreign key (environment_id, assigned_to) references members (environment_id, id)
) with (fillfactor = 90);

create index coupon_codes_of_pool on coupon_codes (environment_id, program_id, pool_id, prefix, code_hash);
create index coupon_codes_of_member on coupon_codes (environment_id, assigned_to) where assigned_to is not null;

grant select, insert on coupon_codes to rewards_app;
grant update (uses, assigned_to, disabled_at) on coupon_codes to rewards_app;

-- Which purchase has redeemed which code.
create table coupon_redemptions (
  environment_id uuid not null,
  transaction_id uuid not null,
  program_id text not null,
  code_hash uuid not null,
  member_id uuid not null,
  primary key (environment_id, transaction_id),
  constraint coupon_redemptions_transaction_fkey
    foreign key (environment_id, transaction_id) references transactions (environment_id, id),
  constraint coupon_redemptions_code_fkey
    foreign key (environment_id, program_id, code_hash)
    references coupon_codes (environment_id, program_id, code_hash),
  constraint coupon_redemptions_member_fkey
    foreign key (environment_id, member_id) references members (environment_id, id)
);

create index coupon_redemptions_of_code on coupon_redemptions (environment_id, program_id, code_hash);

grant select, insert on coupon_redemptions to rewards_app;
