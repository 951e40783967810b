-- Members can be erased: nothing that a merchant or a customer typed about a member may be covered by the seals of the audit
-- trail, which never change.

alter table operations drop constraint operations_type_check;
alter table operations add check (type in ('import', 'export', 'expiry_run', 'tier_run', 'exchange_settlement',
  'simulation', 'webhook_replay', 'erasure'));

-- Audit events of until now lose such texts. Where there were any, the chain of their environment begins anew: seals are
-- younger than every release.
with cleaned as (
  update audit_events set
    changes = (
      case when json_typeof(changes -> 'tags') = 'array'
        then jsonb_set(changes::jsonb, '{tags}', to_jsonb(json_array_length(changes -> 'tags')))
        else changes::jsonb
      end - array['sourceReference', 'returnReference', 'reason', 'evidence', 'resolution', 'authorizationReference',
        'fulfillmentReference', 'cancellationEvidence', 'externalCustomerId'])::json,
    target_id = case when target_type in ('tag', 'list') then environment_id::text else target_id end,
    target_type = case when target_type in ('tag', 'list') then 'environment' else target_type end
  where target_type in ('tag', 'list')
    or changes::jsonb ?| array['sourceReference', 'returnReference', 'reason', 'evidence', 'resolution', 'tags',
      'authorizationReference', 'fulfillmentReference', 'cancellationEvidence', 'externalCustomerId']
  returning environment_id
), unsealed as (
  delete from audit_seals where environment_id in (select environment_id from cleaned)
)
update audit_heads
set position = default, hash = default, settled_until = default, pending_until = null, pending_transaction = null
where environment_id in (select environment_id from cleaned);
