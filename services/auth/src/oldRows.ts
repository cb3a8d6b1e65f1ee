import { type OldRows, oldIdempotencyKeys } from "@care/service-kit"

export const oldRows: ReadonlyArray<OldRows> = [
  oldIdempotencyKeys,
  // Wrong attempts and codes of the last day count against the caps.
  { table: "one_time_codes", age: "1 day", isOld: (sql, before) => sql`expires_at < ${before}` },
  { table: "code_requests", age: "1 day", isOld: (sql, before) => sql`requested_at < ${before}` },
  {
    // Families that nobody could refresh since, with all their tokens: a late refresh is told that its token has expired.
    table: "refresh_token_families",
    age: "30 days",
    isOld: (sql, before) => sql`
      absolute_expires_at < ${before} OR NOT EXISTS (
        SELECT FROM refresh_tokens t
        WHERE t.organization_id = refresh_token_families.organization_id AND t.family_id = refresh_token_families.id
          AND t.expires_at >= ${before}
      )
    `
  },
  { table: "messages", age: "7 days", isOld: (sql, before) => sql`created_at < ${before}` }
]
