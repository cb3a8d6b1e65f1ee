import { unassignedStatus } from "@care/domain/cases"
import type { UserId } from "@care/domain/ids"
import type { SqlClient, Statement } from "effect/sql"
import { fitsLicence } from "./fitsLicence.ts"

/** Returns the SQL condition that a provider sees a case, which is a row of the statement: it is theirs, or it waits and they may treat it. */
export const seenBy = (sql: SqlClient.SqlClient, ofCase: Statement.Fragment, providerId: UserId) => sql`
  (coalesce(${ofCase}.assigned_to = ${providerId}, false)
    OR ${ofCase}.status = ${unassignedStatus} AND NOT ${ofCase}.is_archived AND ${fitsLicence(sql, ofCase, providerId)})
`
