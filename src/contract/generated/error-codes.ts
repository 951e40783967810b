// Generated from schema.graphql. Do not edit.

/** Every error code of the service. */
export type ErrorCode =
  /** The body is not one strict UTF-8 JSON object. */
  | 'invalid_json'
  /** The mutation carries no idempotency key, or more than one. */
  | 'idempotency_key_required'
  /** A header that may be given once is given twice, there is no `Host`, the request target is no path and no http URL, or it is no HTTP request; GraphQL: the body is not `{query, operationName?, variables?}`. */
  | 'invalid_request'
  /** GraphQL: the document does not parse. */
  | 'graphql_parse_failed'
  /** GraphQL: the document is not valid against the schema, or its variables or operation name do not fit. */
  | 'graphql_validation_failed'
  /** GraphQL: more than 12 fields deep (introspection: 16). */
  | 'depth_limit_exceeded'
  /** GraphQL: more than five top-level query fields. */
  | 'too_many_fields'
  /** GraphQL: a mutation holds other than exactly one command. */
  | 'single_command_required'
  /** GraphQL: over 1,000 tokens, 30 aliases or 500 expanded selections. */
  | 'budget_exceeded'
  /** GraphQL: introspection is closed in Production; the SDL is served instead. */
  | 'introspection_disabled'
  /** The credential is absent, invalid, expired, revoked, or of another environment. */
  | 'unauthorized'
  /** The credential is valid, the scope is missing. */
  | 'insufficient_scope'
  /** The token does not carry the authorization of the merchant's checkout for this redemption: its claim `authorization_reference` is not the one that is sent. */
  | 'authorization_required'
  /** The page's Origin is absent, or not the one that the widget's session was made for. */
  | 'origin_not_allowed'
  /** No such path. */
  | 'not_found'
  /** No such member in the environment, or it is not active. */
  | 'member_not_found'
  /** No such published program in the environment. */
  | 'program_not_found'
  /** The member was never enrolled in the program. */
  | 'profile_not_found'
  /** No such order in the environment. */
  | 'order_not_found'
  /** No such transaction in the environment. */
  | 'transaction_not_found'
  /** The program's present configuration has no such reward. */
  | 'reward_not_found'
  /** No such redemption quote in the environment. */
  | 'quote_not_found'
  /** No such redemption reservation in the environment. */
  | 'reservation_not_found'
  /** No such dispute of this reservation. */
  | 'dispute_not_found'
  /** No such adjustment in the environment. */
  | 'adjustment_not_found'
  /** No such merge of two members in the environment. */
  | 'merge_not_found'
  /** No such settlement of this member with a partner in the program. */
  | 'settlement_not_found'
  /** No such webhook endpoint in the environment, or it is deleted. */
  | 'endpoint_not_found'
  /** No such webhook delivery in the environment. */
  | 'delivery_not_found'
  /** No such long-running operation in the environment. */
  | 'operation_not_found'
  /** No such widget deployment. */
  | 'deployment_not_found'
  /** No active event definition of this type in the environment. */
  | 'event_definition_not_found'
  /** No pool of the program has this code. */
  | 'coupon_code_not_found'
  /** No active choice set of this id that the member could choose from. */
  | 'choice_set_not_found'
  /** The path does not take this method. */
  | 'method_not_allowed'
  /** The idempotency key was used before with another input. Nothing happened. */
  | 'idempotency_key_reused'
  /** The code of a pool is another member's, used up or disabled. */
  | 'coupon_code_unavailable'
  /** The Production environment is locked. */
  | 'production_locked'
  /** Another Idempotency-Key already made a member with this externalCustomerId. */
  | 'member_exists'
  /** The member is not enrolled in the program. */
  | 'enrollment_required'
  /** Points are left on the profile. */
  | 'balance_not_zero'
  /** A reservation is still open. */
  | 'reservation_open'
  /** Another Idempotency-Key already recorded this order reference. */
  | 'source_reference_conflict'
  /** The pinned configuration version was not published or not effective at `occurredAt`. */
  | 'configuration_not_effective'
  /** The member limit is reached and the program refuses what exceeds it. */
  | 'member_limit_reached'
  /** The balance would exceed 2^53-1. */
  | 'balance_limit_exceeded'
  /** More of a discount is to be reversed than remains of it. */
  | 'reversal_exceeds_remaining'
  /** More is returned than remains of the order or of one of its lines. */
  | 'return_exceeds_remaining'
  /** The order's points are spent or held, and the program's return policy refuses such returns. */
  | 'points_not_recoverable'
  /** This returnReference names a return of another order. */
  | 'return_reference_conflict'
  /** The member has too few available points. */
  | 'insufficient_points'
  /** The member may not have this reward. */
  | 'reward_not_eligible'
  /** Nothing is left of the reward. */
  | 'inventory_exhausted'
  /** The widget does not offer this reward to the member at present. Nothing happened, and the key is unused. */
  | 'reward_not_available'
  /** The widget was published anew since the page read it: read it again. Nothing happened, and the key is unused. */
  | 'deployment_replaced'
  /** The reward has another price by now than the member has confirmed; `details` has the present one. Nothing happened, and the key is unused. */
  | 'price_changed'
  /** The quote or the reservation is not in a state that allows this. */
  | 'invalid_redemption_state'
  /** The dispute is closed already. */
  | 'invalid_dispute_state'
  /** The reservation has had 20 disputes, the most that one can have. */
  | 'dispute_limit_reached'
  /** The member has no choice left in this set, or may not choose this reward (again). */
  | 'no_choice_left'
  /** The adjustment is not in a state that allows this. */
  | 'invalid_adjustment_state'
  /** The merge of two members is not in a state that allows this. */
  | 'invalid_merge_state'
  /** The two members cannot be merged as they are; the message names what to do. */
  | 'merge_blocked'
  /** The merge was approved more than 30 days ago, so that it cannot be undone. */
  | 'unmerge_period_over'
  /** One of the two accounts was merged once more since: that merge has to be undone first. */
  | 'merged_again'
  /** Points of the merged account were spent, held, returned, adjusted or have lapsed since: the merge cannot be undone. */
  | 'merged_points_used'
  /** Challenges, choices or the tier rest on both accounts together by now: the merge cannot be undone. */
  | 'merged_engagement_used'
  /** The settlement with a partner was reversed before, or is itself a reversal. */
  | 'invalid_settlement_state'
  /** The one who asked for an adjustment may not decide on it, nor may whoever published a section approve it. */
  | 'self_approval_forbidden'
  /** The member has 50 tags, the most that one can have. */
  | 'tag_limit_reached'
  /** The environment has 50 webhook endpoints, the most possible. Delete one first. */
  | 'endpoint_limit_reached'
  /** The webhook endpoint is disabled or deleted. */
  | 'endpoint_disabled'
  /** The webhook endpoint has two replays that have yet to end, the most possible. Wait for one of them. */
  | 'replay_limit_reached'
  /** The webhook delivery is not in a state that allows this. */
  | 'invalid_delivery_state'
  /** Only a Sandbox has a clock that can be moved. */
  | 'sandbox_required'
  /** The clock cannot be moved there: before the real time or the newest record of the environment, or more than 20 years ahead. */
  | 'invalid_clock_time'
  /** The feed is in another epoch, and what was read beyond `lastPositionKept` did not happen. `details` has both, and `epochAt`: take that back, and read on with `afterPosition`, `epoch` and `epochAt`. */
  | 'feed_forked'
  /** The body is larger than the surface allows. */
  | 'payload_too_large'
  /** The body is not application/json in UTF-8. */
  | 'unsupported_media_type'
  /** The input violates the contract; `details` names each path. */
  | 'validation_failed'
  /** The event violates the contract; `details` names each path. */
  | 'invalid_event'
  /** Members are enrolled program by program, with their consent: `programIds` must be empty. */
  | 'explicit_program_enrollment_required'
  /** The purchase's currency is not the program's. */
  | 'currency_mismatch'
  /** The configuration version has no such tier. */
  | 'unknown_tier'
  /** A reward that is paid with points takes either `points` or `amountMinor`, and `orderAmountMinor` where it limits the share of an order; another reward takes none of them. */
  | 'quote_form_invalid'
  /** The reward is not paid with so many points: they are below its minimum, above its maximum or its share of the order, or between two steps. */
  | 'points_out_of_range'
  /** Only a discount that was paid with points can be reversed in parts. */
  | 'reversal_form_invalid'
  /** A return names either `returnAmountMinor` or `items`: neither or both is no return. */
  | 'return_form_invalid'
  /** The order has no such line. */
  | 'unknown_line'
  /** Reversing this reward takes `cancellationEvidence`. */
  | 'cancellation_evidence_required'
  /** The attributes violate the event definition's schema; `details` names each path. */
  | 'attributes_invalid'
  /** The URL is not https, has credentials, or its host is not one of the public internet. */
  | 'url_not_public'
  /** The cursor is not one of this list under these filters. */
  | 'invalid_cursor'
  /** The window is empty, reversed, too long, or lies in the future. */
  | 'invalid_window'
  /** The cart or purchase has too many lines for the offers, or rules and campaigns, that are evaluated for it. Send fewer lines. */
  | 'cart_too_large'
  /** More than 600 requests in a minute, or too many coupon codes of one customer that could not be used. Wait as Retry-After says; keep key and body. */
  | 'rate_limited'
  /** Something is broken on our side. Retry with the same key and body; keep the requestId. */
  | 'internal_error'
  /** The mutation was done under this idempotency key, and is not done again; but its stored receipt was damaged in the database and cannot be shown. Read what it did, such as the transaction of its `sourceReference`, and have the receipt restored. */
  | 'receipt_unreadable'
  /** Too much is waiting: commands, reads of this environment, or points of the member that are due. Nothing was done; retry as Retry-After says. */
  | 'overloaded'
  /** The database does not answer at the moment. Retry as Retry-After says, with the same key and body: it may have happened. */
  | 'unavailable'
  /** A request with a session that did not come from a page of this service. Nothing was done. */
  | 'cross_site_request'
  /** There is no open session of yours of this id. */
  | 'session_not_found'
  /** This service has no database login for management. Whoever runs it sets `OPERATOR_DATABASE_URL`. */
  | 'management_unavailable'
  /** The program, or the widget, has no such version. */
  | 'version_not_found'
  /** The newest version is another one than the caller knew. Nothing was published: read it, and send the document again. */
  | 'version_conflict'
  /** The document changes the program's currency or precision, and so the value of its points. */
  | 'program_conflict'
  /** The version of the program has no such section. */
  | 'section_not_found'
  /** Only Production can be locked, and this is a Sandbox. */
  | 'production_required'
  /** The newest version of the program has no coupon of this code with a pool. */
  | 'pool_not_found'
  /** The pattern has too few random characters for so many codes: they could be guessed. The message says how many are missing. */
  | 'too_few_random_characters'
  /** No such issuer of customers' tokens in the environment. */
  | 'issuer_not_found'
  /** The environment has an issuer with this `iss` and audience already. To replace it, remove it first. */
  | 'issuer_exists'
;

/** The HTTP status that each code is answered with. */
export const httpStatusOf: Readonly<Record<ErrorCode, number>> = {
  invalid_json: 400,
  idempotency_key_required: 400,
  invalid_request: 400,
  graphql_parse_failed: 400,
  graphql_validation_failed: 400,
  depth_limit_exceeded: 400,
  too_many_fields: 400,
  single_command_required: 400,
  budget_exceeded: 400,
  introspection_disabled: 400,
  unauthorized: 401,
  insufficient_scope: 403,
  authorization_required: 403,
  origin_not_allowed: 403,
  not_found: 404,
  member_not_found: 404,
  program_not_found: 404,
  profile_not_found: 404,
  order_not_found: 404,
  transaction_not_found: 404,
  reward_not_found: 404,
  quote_not_found: 404,
  reservation_not_found: 404,
  dispute_not_found: 404,
  adjustment_not_found: 404,
  merge_not_found: 404,
  settlement_not_found: 404,
  endpoint_not_found: 404,
  delivery_not_found: 404,
  operation_not_found: 404,
  deployment_not_found: 404,
  event_definition_not_found: 404,
  coupon_code_not_found: 404,
  choice_set_not_found: 404,
  method_not_allowed: 405,
  idempotency_key_reused: 409,
  coupon_code_unavailable: 409,
  production_locked: 409,
  member_exists: 409,
  enrollment_required: 409,
  balance_not_zero: 409,
  reservation_open: 409,
  source_reference_conflict: 409,
  configuration_not_effective: 409,
  member_limit_reached: 409,
  balance_limit_exceeded: 409,
  reversal_exceeds_remaining: 409,
  return_exceeds_remaining: 409,
  points_not_recoverable: 409,
  return_reference_conflict: 409,
  insufficient_points: 409,
  reward_not_eligible: 409,
  inventory_exhausted: 409,
  reward_not_available: 409,
  deployment_replaced: 409,
  price_changed: 409,
  invalid_redemption_state: 409,
  invalid_dispute_state: 409,
  dispute_limit_reached: 409,
  no_choice_left: 409,
  invalid_adjustment_state: 409,
  invalid_merge_state: 409,
  merge_blocked: 409,
  unmerge_period_over: 409,
  merged_again: 409,
  merged_points_used: 409,
  merged_engagement_used: 409,
  invalid_settlement_state: 409,
  self_approval_forbidden: 409,
  tag_limit_reached: 409,
  endpoint_limit_reached: 409,
  endpoint_disabled: 409,
  replay_limit_reached: 409,
  invalid_delivery_state: 409,
  sandbox_required: 409,
  invalid_clock_time: 409,
  feed_forked: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  invalid_event: 422,
  explicit_program_enrollment_required: 422,
  currency_mismatch: 422,
  unknown_tier: 422,
  quote_form_invalid: 422,
  points_out_of_range: 422,
  reversal_form_invalid: 422,
  return_form_invalid: 422,
  unknown_line: 422,
  cancellation_evidence_required: 422,
  attributes_invalid: 422,
  url_not_public: 422,
  invalid_cursor: 422,
  invalid_window: 422,
  cart_too_large: 422,
  rate_limited: 429,
  internal_error: 500,
  receipt_unreadable: 500,
  overloaded: 503,
  unavailable: 503,
  cross_site_request: 403,
  session_not_found: 404,
  management_unavailable: 503,
  version_not_found: 404,
  version_conflict: 412,
  program_conflict: 409,
  section_not_found: 404,
  production_required: 409,
  pool_not_found: 404,
  too_few_random_characters: 422,
  issuer_not_found: 404,
  issuer_exists: 409,
};
