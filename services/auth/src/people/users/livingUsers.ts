import type { OrganizationId, UserId } from "@care/domain/ids"
import { erasedEmail } from "@care/phi"
import type { SqlClient, Statement } from "effect/sql"

type UserOf = (sql: SqlClient.SqlClient, organizationId: OrganizationId, userId: UserId) => Statement.Fragment

/** SQL: a subquery for the users who are not deleted. */
export const livingUsers = "(SELECT * FROM users WHERE deleted_at IS NULL)"

/** SQL: a subquery for all members of staff, also former ones. */
export const allStaff = "(SELECT * FROM users WHERE role <> 'USER')"

/** SQL: a subquery for the members of staff who are active. */
export const activeStaff = "(SELECT * FROM users WHERE role <> 'USER' AND is_active AND deleted_at IS NULL)"

/**
 * SQL: a subquery for the active members of staff who may sign in here. Those with an email of a domain for which their organization
 * requires single sign-on may not.
 */
export const staffWithOwnSignIn = `(
  SELECT s.* FROM ${activeStaff} s
  WHERE NOT EXISTS (
    SELECT FROM single_sign_on_domains d JOIN single_sign_ons o ON o.organization_id = d.organization_id
    WHERE d.organization_id = s.organization_id AND d.domain = split_part(s.email, '@', 2) AND o.is_required
  )
)`

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
