import type { PagePosition } from "@care/domain/http"
import type { CaseId, OrganizationId } from "@care/domain/ids"
import type { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"

/** The position of a page in a list of a case: at most `limit` rows before a position, newest first. */
export type PageOfCase = readonly [organizationId: OrganizationId, caseId: CaseId, before: PagePosition, limit: number]

/** Returns the rows of such a page. */
export type NewestOfCase<Row> = (...page: PageOfCase) => Effect.Effect<ReadonlyArray<Row>>

/** Returns the end of a statement that selects a page: the rows that fulfil `condition`, ordered by the column `time`. */
export const newestOfCase = (
  sql: SqlClient.SqlClient,
  [organizationId, caseId, before, limit]: PageOfCase,
  condition: Statement.Fragment = sql.literal("true"),
  time: "created_at" | "uploaded_at" = "created_at"
): Statement.Fragment => sql`
  WHERE organization_id = ${organizationId} AND case_id = ${caseId} AND ${condition}
    AND (${sql.literal(time)}, id) < (${before.createdAt}, ${before.id})
  ORDER BY ${sql.literal(time)} DESC, id DESC
  LIMIT ${limit}
`
