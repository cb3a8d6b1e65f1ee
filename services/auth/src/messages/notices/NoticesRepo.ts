import { OrganizationId, UserId, Uuid } from "@care/domain/ids"
import { rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { livingUsers } from "../../people/index.ts"

/** A receiver of a notice, with their organization. */
const Receiver = Schema.Struct({
  organizationId: OrganizationId,
  id: UserId,
  email: Schema.String,
  firstName: Schema.String,
  organizationName: Schema.String
})
export type Receiver = typeof Receiver.Type

const receivers = rowsOf(Receiver)

/** An address of an organization: its own, or that of a member. */
const contacts = rowsOf(Schema.Struct({ id: Uuid, email: Schema.String }))

const maxContacts = 20

interface Recipient {
  readonly organizationId: OrganizationId
  readonly userId: UserId
}

export const makeNoticesRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const users = sql.literal(livingUsers)

  // Unprepared, because a cached plan could be one for an empty table.
  const receiversIn = (organizationId: OrganizationId, userIds: ReadonlyArray<UserId>) =>
    receivers.all(
      sql`
        SELECT u.organization_id, u.id, u.email, u.first_name, o.name AS organization_name
        FROM ${users} u JOIN organizations o ON o.id = u.organization_id
        WHERE u.organization_id = ${organizationId} AND u.id = ANY(${userIds}::uuid[]) AND u.is_active
          AND NOT u.notifications_disabled
      `.unprepared
    )

  return {
    /** Returns the organization's contact, or, when it has none, its active members of the role ADMIN who want email. */
    findContacts: (organizationId: OrganizationId) =>
      contacts.all(sql`
        SELECT id, contact_email AS email FROM organizations WHERE id = ${organizationId} AND contact_email IS NOT NULL
        UNION ALL
        (SELECT u.id, u.email FROM ${users} u JOIN organizations o ON o.id = u.organization_id
         WHERE u.organization_id = ${organizationId} AND o.contact_email IS NULL AND u.role = 'ADMIN' AND u.is_active
           AND NOT u.notifications_disabled
         ORDER BY u.id LIMIT ${maxContacts})
      `),

    /** Returns the receivers in the order of `people`, undefined for those who want no email or are gone. One statement per organization. */
    findReceivers: Effect.fnUntraced(function* (people: ReadonlyArray<Recipient>) {
      const byOrganization = Map.groupBy(people, ({ organizationId }) => organizationId)
      const found = yield* Effect.forEach(byOrganization, ([organizationId, recipients]) =>
        receiversIn(
          organizationId,
          recipients.map(({ userId }) => userId)
        )
      )
      const receiverByKey = new Map(
        found.flat().map((receiver) => [`${receiver.organizationId} ${receiver.id}`, receiver])
      )
      return people.map(({ organizationId, userId }) => receiverByKey.get(`${organizationId} ${userId}`))
    })
  }
})
