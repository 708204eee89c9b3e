/**
 * Every Code of a failure with its ResultCode, which is the HTTP status. A code never changes its meaning
 * (docs/versioning.md); lib/api/openapi/code-meanings.ts has a sentence for each.
 */
export const failureCodes = {
  invalid_request: 400,
  invalid_body: 400,

  unauthorized: 401,
  misplaced_key: 401,
  different_keys: 401,

  role_forbidden: 403,
  organization_forbidden: 403,
  agent_forbidden: 403,
  key_restricted: 403,
  account_suspended: 403,
  organization_suspended: 403,
  invalid_address: 403,
  origin_forbidden: 403,

  not_found: 404,
  unknown_path: 404,

  wrong_method: 405,
  compressed_only: 406,

  slot_taken: 409,
  drive_conflict: 409,
  outside_hours: 409,
  outside_season: 409,
  outside_window: 409,
  in_the_past: 409,
  too_soon: 409,
  too_far_ahead: 409,
  no_opening: 409,
  agent_unable: 409,
  wrong_state: 409,
  fixed_value: 409,
  already_exists: 409,
  postal_code_owned: 409,
  ambiguous: 409,
  overpayment: 409,
  amount_mismatch: 409,
  requirement_missing: 409,
  limit_reached: 409,
  idempotency_mismatch: 409,
  not_ready: 409,
  download_failed: 409,

  request_too_large: 413,
  response_too_large: 413,

  rate_limited: 429,
  too_many_in_flight: 429,
  too_many_downloads: 429,
  too_many_holds: 429,
  daily_limit: 429,

  internal_error: 500,

  unavailable: 503,
} as const;

export type FailureCode = keyof typeof failureCodes;
/** The HTTP status of a failure, which is its ResultCode. */
export type FailureStatus = (typeof failureCodes)[FailureCode];
/** The codes of one status. */
export type CodeOf<Status extends FailureStatus> = {
  [Code in FailureCode]: (typeof failureCodes)[Code] extends Status ? Code : never;
}[FailureCode];

/** Every Code that an entry of Errors can have. */
export type FieldErrorCode =
  | 'required'
  | 'type'
  | 'format'
  | 'range'
  | 'too_long'
  | 'unknown_field'
  | 'unknown_value'
  | 'not_found'
  | 'ambiguous'
  | 'duplicate'
  | 'mismatch'
  | 'fixed'
  | 'inactive'
  | 'forbidden'
  | 'too_broad'
  | 'limit'
  | 'invalid_value';
