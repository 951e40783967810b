-- The server's role may update only the columns that the service changes. In the tables of the ledger these are the
-- columns that are neither part of the primary key nor `constant` in their description (src/ledger/tables).
revoke update on members, program_profiles, lots, orders, limit_counters, operations, webhook_endpoints,
  webhook_deliveries, redemption_quotes, redemption_reservations, redemption_disputes, reward_stocks, adjustments,
  ledger_rollups, shared_counters, challenge_progress, choice_grants from rewards_app;

grant update (display_name, status, consent_status, notice_version, consent_at) on members to rewards_app;
grant update (enrolled, tier, qualification_points, qualification_since, qualification_days, requalify_at, available,
  pending, reserved, enrolled_at, unenrolled_at, next_due_at, last_activity_at, purchase_count, purchase_amount_minor,
  first_purchase_at, last_purchase_at, referral_code, referred_by, referral_count) on program_profiles to rewards_app;
grant update (pending, available, reserved, expires_at, claimed, lent) on lots to rewards_app;
grant update (state, returned_minor, clawed_back, returned_lines) on orders to rewards_app;
grant update (points) on limit_counters to rewards_app;
grant update (taken) on reward_stocks, shared_counters to rewards_app;
grant update (state) on redemption_quotes to rewards_app;
grant update (state, commit_transaction_id, transaction_id, authorization_reference, reason, cancellation_evidence,
  fulfillment_status, fulfillment_reference, changed_at) on redemption_reservations to rewards_app;
grant update (state, resolution, closed_at) on redemption_disputes to rewards_app;
grant update (state, decided_by, decided_at, decision_reason, reversed_by, transaction_id, reversal_transaction_id)
  on adjustments to rewards_app;
grant update (reached, completions, goal) on challenge_progress to rewards_app;
grant update (remaining, state) on choice_grants to rewards_app;

-- What the server writes beside commands: sweeps, closed days, and the sequence numbers of webhook deliveries.
grant update (status, progress_done, result, error, finished_at) on operations to rewards_app;
grant update (closed_through, at) on ledger_rollups to rewards_app;
grant update (last_sequence) on webhook_endpoints to rewards_app;
revoke insert on webhook_endpoints from rewards_app;

-- A reference into another environment cannot exist: these columns had no foreign key.
alter table transactions
  add foreign key (environment_id, reversal_of) references transactions (environment_id, id),
  add foreign key (environment_id, reversed_by) references transactions (environment_id, id);
alter table program_profiles
  add foreign key (environment_id, referred_by, program_id)
    references program_profiles (environment_id, member_id, program_id);
alter table choice_claims
  add foreign key (environment_id, member_id, program_id)
    references program_profiles (environment_id, member_id, program_id);
