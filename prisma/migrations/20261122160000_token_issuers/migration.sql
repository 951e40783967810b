-- Who vouches for customers: the issuers whose tokens an environment takes.
create table token_issuers (
  environment_id uuid not null references environments (id),
  id uuid not null,
  -- The claims `iss` and `aud` of its tokens.
  issuer text not null,
  audience text not null,
  -- Where its keys come from: exactly one of the three.
  jwks_url text,
  -- Public keys as an array of JWKs.
  keys json,
  -- The secret of HS256, encrypted for this row.
  sealed_secret bytea,
  -- The origins whose pages may read responses.
  origins text[] not null,
  created_at timestamptz not null default now(),
  removed_at timestamptz,
  primary key (environment_id, id),
  check (num_nonnulls(jwks_url, keys, sealed_secret) = 1)
);
create unique index token_issuers_present on token_issuers (environment_id, issuer, audience)
  where removed_at is null;

grant select on token_issuers to rewards_app;
