import type { OldRows } from "@care/service-kit"

export const oldRows: ReadonlyArray<OldRows> = [
  // The caps count codes and wrong attempts of the last day.
  { table: "one_time_codes", key: ["organization_id", "user_id"], since: "expires_at", age: "1 day" },
  { table: "code_requests", key: ["organization_id", "identifier_hash"], since: "requested_at", age: "1 day" },
  // Kept for 30 days, so that a late refresh is answered with "expired" and not "unknown".
  { table: "refresh_token_families", key: ["organization_id", "id"], since: "expires_at", age: "30 days", batch: 100 },
  { table: "staff_sessions", key: ["organization_id", "id"], since: "expires_at", age: "1 day" },
  { table: "passkey_challenges", key: ["organization_id", "challenge_hash"], since: "expires_at", age: "1 hour" },
  { table: "device_sign_ins", key: ["organization_id", "id"], since: "expires_at", age: "1 hour" },
  { table: "sign_ons_in_progress", key: ["organization_id", "state_hash"], since: "expires_at", age: "1 hour" },
  { table: "notice_counts", key: ["organization_id", "receiver_hash", "kind"], since: "begun_at", age: "1 day" },
  { table: "messages", key: ["organization_id", "id"], since: "created_at", age: "7 days" },
  { table: "request_logs", key: ["organization_id", "at", "id"], since: "at", age: "7 days" },
  { table: "request_log_days", key: ["organization_id", "begun_at"], since: "begun_at", age: "8 days" },
  { table: "clock_advances", key: ["organization_id", "id"], since: "begun_at", age: "7 days" }
]
