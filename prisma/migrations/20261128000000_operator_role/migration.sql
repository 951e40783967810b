-- What changes how an environment is set up runs in the serving process under a role of its own: it may not touch the
-- ledger. The writer alone writes postings, lots, balances and receipts of members.
do $$
begin
  if not exists (select from pg_roles where rolname = 'rewards_operator') then
    create role rewards_operator nologin;
  end if;
exception when duplicate_object or unique_violation then
  null;
end
$$;

grant select on tenants, environments, api_keys, token_issuers, programs, program_versions, widget_deployments,
  widget_deployment_versions, finance_approvals, idempotency_keys to rewards_operator;
grant insert on api_keys, token_issuers, programs, program_versions, widget_deployments, widget_deployment_versions,
  finance_approvals, idempotency_keys, audit_events, events to rewards_operator;
grant update (locked, revision) on environments to rewards_operator;
grant update (secret_hash, previous_secret_hash, previous_valid_until, revoked_at) on api_keys to rewards_operator;
grant update (removed_at) on token_issuers to rewards_operator;

-- What whoever published a version wrote about it.
alter table program_versions add column note text;
alter table program_versions add constraint program_versions_note_check check (length(note) between 1 and 500);
