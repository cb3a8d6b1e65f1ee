import type { OrganizationId, UserId } from "@care/domain/ids"
import type { SqlClient, Statement } from "effect/sql"
import { erasedEmail } from "./erasedEmail.ts"

type UserOf = (sql: SqlClient.SqlClient, organizationId: OrganizationId, userId: UserId) => Statement.Fragment

/** The users who were not deleted, as a table of a statement. */
export const livingUsers = "(SELECT * FROM users WHERE deleted_at IS NULL)"

/**
 * Returns the end of a statement that stores something of a living user: nothing when there is none. It locks the user's row, so that an
 * erasure either waits and removes what was stored, or was waited for and left no living user.
 */
export const livingUser: UserOf = (sql, organizationId, userId) =>
  sql`FROM users WHERE organization_id = ${organizationId} AND id = ${userId} AND deleted_at IS NULL FOR KEY SHARE`

/** Does the same for a user who may be deleted, but was not erased. */
export const unerasedUser: UserOf = (sql, organizationId, userId) => sql`
  FROM users WHERE organization_id = ${organizationId} AND id = ${userId} AND email <> ${erasedEmail(userId)}
  FOR KEY SHARE
`
