import type { OldRows } from "@care/service-kit"

export const oldRows: ReadonlyArray<OldRows> = [
  // The caps count codes and wrong attempts of the last day.
  { table: "one_time_codes", since: "expires_at", age: "1 day" },
  { table: "code_requests", since: "requested_at", age: "1 day" },
  // Kept for 30 days, so that a late refresh is answered with "expired" and not "unknown".
  { table: "refresh_token_families", since: "expires_at", age: "30 days", batch: 100 },
  { table: "notice_counts", since: "begun_at", age: "1 day" },
  { table: "messages", since: "created_at", age: "7 days" }
]
