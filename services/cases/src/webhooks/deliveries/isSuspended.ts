import type { SqlClient, Statement } from "effect/sql"

/** Whether an organization is disabled, as a condition: then nothing is sent to its endpoints. */
export const isSuspended = (sql: SqlClient.SqlClient, organizationId: Statement.Fragment) => sql`
  EXISTS (SELECT FROM organization_snapshots WHERE organization_id = ${organizationId} AND is_disabled)
`
