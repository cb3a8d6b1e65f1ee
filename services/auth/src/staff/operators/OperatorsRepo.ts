import { type OrganizationId, platformId, UserId } from "@care/domain/ids"
import { execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { activeStaff } from "../../people/index.ts"

const ids = rowsOf(Schema.Struct({ id: UserId }))
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

    /** Locks the organization of the platform, so that deactivations of operators take turns. Later statements see those before. */
    lockPlatform: execute(sql`SELECT id FROM organizations WHERE id = ${platformId} FOR NO KEY UPDATE`),

    /** Returns an operator, if they are active, and another active one. */
    twoActive: (id: UserId) =>
      ids.all(sql`
        SELECT id FROM ${sql.literal(activeStaff)} s WHERE organization_id = ${platformId} AND role = 'OPERATOR'
        ORDER BY id <> ${id}, id
        LIMIT 2
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
