import type { OldRows } from "@care/service-kit"

/** Viewers who left without saying so. */
export const oldViewers: OldRows = {
  table: "case_viewers",
  key: ["organization_id", "case_id", "viewer_id"],
  since: "seen_at",
  age: "1 day"
}
