import { OrganizationId, UserId } from "@care/domain/ids"
import { rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

/** Who is told, and whose patient or staff they are. */
const Receiver = Schema.Struct({
  organizationId: OrganizationId,
  id: UserId,
  email: Schema.String,
  firstName: Schema.String,
  organizationName: Schema.String
})
export type Receiver = typeof Receiver.Type

const receivers = rowsOf(Receiver)

interface Addressed {
  readonly organizationId: OrganizationId
  readonly userId: UserId
}

export const makeNoticesRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Not by a plan for the table as it was once.
  const receiversIn = (organizationId: OrganizationId, userIds: ReadonlyArray<UserId>) =>
    receivers.all(
      sql`
        SELECT u.organization_id, u.id, u.email, u.first_name, o.name AS organization_name
        FROM users u JOIN organizations o ON o.id = u.organization_id
        WHERE u.organization_id = ${organizationId} AND u.id = ANY(${userIds}::uuid[])
          AND u.is_active AND u.deleted_at IS NULL AND NOT u.notifications_disabled
      `.unprepared
    )

  return {
    /** The people as they are now, in their order; undefined for who wants no email or is gone. A statement an organization. */
    findReceivers: Effect.fnUntraced(function* (people: ReadonlyArray<Addressed>) {
      const byOrganization = Map.groupBy(people, ({ organizationId }) => organizationId)
      const found = yield* Effect.forEach(byOrganization, ([organizationId, some]) =>
        receiversIn(
          organizationId,
          some.map(({ userId }) => userId)
        )
      )
      const known = new Map(found.flat().map((receiver) => [`${receiver.organizationId} ${receiver.id}`, receiver]))
      return people.map(({ organizationId, userId }) => known.get(`${organizationId} ${userId}`))
    })
  }
})
