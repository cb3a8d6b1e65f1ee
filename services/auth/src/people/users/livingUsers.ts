import type { OrganizationId, UserId } from "@care/domain/ids"
import { erasedEmail } from "@care/phi"
import type { SqlClient, Statement } from "effect/sql"

type UserOf = (sql: SqlClient.SqlClient, organizationId: OrganizationId, userId: UserId) => Statement.Fragment

/** SQL: a subquery for the users who are not deleted. */
export const livingUsers = "(SELECT * FROM users WHERE deleted_at IS NULL)"

/** SQL: a subquery for the members of staff who are active. */
export const activeStaff = "(SELECT * FROM users WHERE role <> 'USER' AND is_active AND deleted_at IS NULL)"

/**
 * Returns the `FROM` clause of an `INSERT ... SELECT` that stores a row for a living user, or no row if there is none. It locks the
 * user's row, so that an erasure either waits and removes the new row, or has finished and left no living user.
 */
export const livingUser: UserOf = (sql, organizationId, userId) =>
  sql`FROM users WHERE organization_id = ${organizationId} AND id = ${userId} AND deleted_at IS NULL FOR KEY SHARE`

/** Does the same for a user who may be deleted, but was not erased. */
export const unerasedUser: UserOf = (sql, organizationId, userId) => sql`
  FROM users WHERE organization_id = ${organizationId} AND id = ${userId} AND email <> ${erasedEmail(userId)}
  FOR KEY SHARE
`
