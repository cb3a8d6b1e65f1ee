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

/** Who is to be told. */
interface Addressee {
  readonly organizationId: OrganizationId
  readonly userId: UserId
}

export const makeNoticesRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    /** People as they are now, but for who wants no email or is gone. Not by a plan for the table as it was once. */
    findReceivers: (people: ReadonlyArray<Addressee>) =>
      receivers.all(
        sql`
        SELECT u.organization_id, u.id, u.email, u.first_name, o.name AS organization_name
        FROM unnest(
          ${people.map(({ organizationId }) => organizationId)}::uuid[], ${people.map(({ userId }) => userId)}::uuid[]
        ) AS asked (organization_id, user_id)
        JOIN users u ON u.organization_id = asked.organization_id AND u.id = asked.user_id
        JOIN organizations o ON o.id = u.organization_id
        WHERE u.is_active AND u.deleted_at IS NULL AND NOT u.notifications_disabled
      `.unprepared
      )
  }
})
