import { oldIdempotencyKeys } from "@care/once"
import type { OldRows } from "@care/service-kit"

export const oldRows: ReadonlyArray<OldRows> = [
  oldIdempotencyKeys,
  // Wrong attempts and codes of the last day count against the caps.
  { table: "one_time_codes", since: "expires_at", age: "1 day" },
  { table: "code_requests", since: "requested_at", age: "1 day" },
  // Families that nobody could refresh since, with all their tokens: a late refresh is told that its token has expired.
  { table: "refresh_token_families", since: "expires_at", age: "30 days", batch: 100 },
  { table: "notice_counts", since: "begun_at", age: "1 day" },
  { table: "messages", since: "created_at", age: "7 days" }
]
