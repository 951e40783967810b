-- Writes the rows that the service writes for one purchase, in one call, with all values given. Like the service it locks
-- the profile first, then looks up the idempotency key.
create function bench_purchase(
  the_environment uuid, the_program text, the_customer text, the_operation text, the_key text,
  the_fingerprint bytea, the_transaction uuid, the_lot uuid, the_audit uuid, the_reference text,
  the_amount bigint, the_currency text, the_lines json, the_points bigint, the_receipt json,
  the_expiry timestamptz, the_limit text, the_period timestamptz, the_actor text, the_request text,
  the_target text, the_changes json
) returns json language plpgsql as $function$
declare
  the_member uuid;
  the_time timestamptz;
  the_stored json;
begin
  select id into strict the_member from members
  where environment_id = the_environment and external_customer_id = the_customer;

  perform from program_profiles
  where environment_id = the_environment and member_id = the_member and program_id = the_program and enrolled
  for update;
  if not found then
    raise exception 'not enrolled';
  end if;

  select t.receipt into the_stored
  from idempotency_keys k
  join transactions t on t.environment_id = k.environment_id and t.id = k.transaction_id
  where k.environment_id = the_environment and k.operation = the_operation and k.key = the_key;
  if found then
    return the_stored;
  end if;

  the_time := clock_timestamp();
  update program_profiles
  set available = available + the_points, qualification_points = qualification_points + the_points,
    qualification_since = coalesce(qualification_since, the_period), next_due_at = least(next_due_at, the_expiry),
    last_activity_at = the_time, purchase_count = purchase_count + 1,
    purchase_amount_minor = purchase_amount_minor + the_amount,
    first_purchase_at = coalesce(first_purchase_at, the_time), last_purchase_at = the_time
  where environment_id = the_environment and member_id = the_member and program_id = the_program;

  insert into transactions (environment_id, id, program_id, member_id, event_type, source_reference, state,
    points, occurred_at, created_at, receipt)
  values (the_environment, the_transaction, the_program, the_member, 'purchase.completed', the_reference,
    'committed', the_points, the_time, the_time, the_receipt);

  insert into lots (environment_id, member_id, program_id, id, transaction_id, granted, pending, available,
    reserved, expires_at, created_at)
  values (the_environment, the_member, the_program, the_lot, the_transaction, the_points, 0, the_points, 0,
    the_expiry, the_time);

  insert into postings (environment_id, transaction_id, line, program_id, member_id, debit_account,
    credit_account, amount, lot_id, created_at)
  values (the_environment, the_transaction, 1, the_program, the_member, 'program.issuance',
    'member.available', the_points, the_lot, the_time);

  insert into orders (environment_id, source_reference, program_id, member_id, transaction_id, state,
    amount_minor, currency, points, lines)
  values (the_environment, the_reference, the_program, the_member, the_transaction, 'active', the_amount,
    the_currency, the_points, the_lines);

  insert into limit_counters as counter (environment_id, program_id, member_id, limit_id, period_start, points)
  values (the_environment, the_program, the_member, the_limit, the_period, the_points)
  on conflict (environment_id, member_id, program_id, limit_id, period_start)
  do update set points = counter.points + excluded.points;

  insert into idempotency_keys (environment_id, operation, key, fingerprint, transaction_id, created_at)
  values (the_environment, the_operation, the_key, the_fingerprint, the_transaction, the_time);

  insert into audit_events (environment_id, id, action, target_type, target_id, actor_type, actor_id, request_id,
    changes, at)
  values (the_environment, the_audit, 'purchase.completed', 'transaction', the_target, 'api_key', the_actor,
    the_request, the_changes, the_time);
  return null;
end
$function$;
