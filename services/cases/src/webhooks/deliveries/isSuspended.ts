import type { SqlClient, Statement } from "effect/sql"

/** Returns the SQL condition that an organization is disabled. Nothing is sent to its endpoints then. */
export const isSuspended = (sql: SqlClient.SqlClient, organizationId: Statement.Fragment) => sql`
  EXISTS (SELECT FROM organization_snapshots WHERE organization_id = ${organizationId} AND is_disabled)
`
