import type { OrganizationId } from "@care/domain/ids"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { execute, rowsOf } from "../sql/rows.ts"

/** The clocks of sandbox organizations in this service. */
export interface TestClocks {
  /** Returns how far the clock of a sandbox organization is ahead of the machine's. The organization is known here from then on. */
  readonly aheadMillis: (organizationId: OrganizationId) => Effect.Effect<number>
}

/** Without `layerTestClocks` all clocks are the machine's. */
export const TestClocks = Context.Reference<TestClocks>("@care/service-kit/time/TestClocks", {
  defaultValue: () => ({ aheadMillis: () => Effect.succeed(0) })
})

const clocks = rowsOf(Schema.Struct({ aheadMillis: Schema.Finite }))

export const layerTestClocks = Layer.effect(
  TestClocks,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return {
      aheadMillis: Effect.fnUntraced(function* (organizationId) {
        const [found] = yield* clocks.all(
          sql`SELECT ahead_millis::float8 AS ahead_millis FROM test_organizations WHERE organization_id = ${organizationId}`
        )
        if (found !== undefined) return found.aheadMillis
        yield* execute(sql`
          INSERT INTO test_organizations (organization_id) VALUES (${organizationId})
          ON CONFLICT (organization_id) DO NOTHING
        `)
        return 0
      })
    }
  })
)
