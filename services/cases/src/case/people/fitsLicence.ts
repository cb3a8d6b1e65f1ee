import type { UserId } from "@care/domain/ids"
import type { SqlClient, Statement } from "effect/sql"

/**
 * Returns the SQL condition that a provider may treat the patient of a case, which is a row of the statement. Unknown licences fit all
 * states, and an unknown state fits all licences.
 */
export const fitsLicence = (sql: SqlClient.SqlClient, ofCase: Statement.Fragment, providerId: UserId) => sql`
  coalesce((
    SELECT provider.licensed_states = '{}' OR coalesce(patient.state, '') = '' OR patient.state = ANY(provider.licensed_states)
    FROM people provider
    LEFT JOIN people patient ON patient.organization_id = provider.organization_id AND patient.id = ${ofCase}.user_id
    WHERE provider.organization_id = ${ofCase}.organization_id AND provider.id = ${providerId}
  ), true)
`
