import type { SqlClient, Statement } from "effect/sql"

export const lowestId = "00000000-0000-0000-0000-000000000000"

/** Returns the next organization after an id with an end, a link or a record. It is also found if the row of its end was removed. */
export const organizationAfter = (sql: SqlClient.SqlClient, id: Statement.Fragment): Statement.Fragment =>
  sql`least(${sql.csv(
    ["audit_heads", "audit_links", "audit_records", "audit_entries", "audit_waiting"].map(
      (table) =>
        sql`(SELECT organization_id FROM ${sql(table)} WHERE organization_id > ${id} ORDER BY organization_id LIMIT 1)`
    )
  )})`
