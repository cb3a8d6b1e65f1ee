import { type OrganizationId, platformId, type UserId } from "@care/domain/ids"
import { execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { activeStaff } from "../../people/index.ts"

const receivers = rowsOf(Schema.Struct({ email: Schema.String, organizationName: Schema.String }))

export const makeOperatorsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    /** Makes the organization of the platform, unless it exists. */
    ensurePlatform: (now: Date) =>
      execute(sql`
        INSERT INTO organizations (id, name, created_at, updated_at) VALUES (${platformId}, 'Platform', ${now}, ${now})
        ON CONFLICT (id) DO NOTHING
      `),

    /** Returns the address of an active member of staff, and the name of their organization. */
    receiver: (organizationId: OrganizationId, userId: UserId) =>
      receivers.first(sql`
        SELECT u.email, o.name AS organization_name
        FROM ${sql.literal(activeStaff)} u JOIN organizations o ON o.id = u.organization_id
        WHERE u.organization_id = ${organizationId} AND u.id = ${userId}
      `)
  }
})
