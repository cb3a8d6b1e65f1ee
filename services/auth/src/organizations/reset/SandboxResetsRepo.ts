import type { OrganizationId } from "@care/domain/ids"
import { rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const resets = rowsOf(Schema.Struct({ resets: Schema.Int, isResetting: Schema.Boolean }))

export const makeSandboxResetsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const isSandbox = (organizationId: OrganizationId) => sql`
    organization_id = ${organizationId} AND EXISTS (
      SELECT FROM organizations WHERE organizations.id = ${organizationId} AND live_organization_id IS NOT NULL
    )
  `
  return {
    find: (organizationId: OrganizationId) =>
      resets.one(sql`SELECT resets, is_resetting FROM test_organizations WHERE ${isSandbox(organizationId)}`),

    /** As `find`. Waits for the work for the sandbox that stores something now. */
    lock: (organizationId: OrganizationId) =>
      resets.one(
        sql`SELECT resets, is_resetting FROM test_organizations WHERE ${isSandbox(organizationId)} FOR UPDATE`
      ),

    /** Begins a reset of a sandbox that is locked. A live organization has no row. */
    begin: (organizationId: OrganizationId) =>
      resets.one(sql`
        UPDATE test_organizations SET resets = resets + 1, is_resetting = true, ahead_millis = 0
        WHERE ${isSandbox(organizationId)}
        RETURNING resets, is_resetting
      `)
  }
})
