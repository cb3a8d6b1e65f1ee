import { OrganizationId } from "@care/domain/ids"
import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { rowsOf } from "../sql/rows.ts"

/** A `Sandbox` as it is stored: `sandboxColumns`, of `test_organizations AS test`. */
export const sandboxRows = rowsOf(
  Schema.Struct({ organizationId: OrganizationId, aheadMillis: Schema.Finite, resets: Schema.Finite })
)

export const sandboxColumns = "test.organization_id, test.ahead_millis::float8 AS ahead_millis, test.resets"

/** Returns an organization as a sandbox; none if it is a live one, or is not known here. */
export const findSandbox = (sql: SqlClient.SqlClient, organizationId: string) =>
  sandboxRows.first(sql`
    SELECT ${sql.literal(sandboxColumns)} FROM test_organizations AS test WHERE test.organization_id = ${organizationId}
  `)
