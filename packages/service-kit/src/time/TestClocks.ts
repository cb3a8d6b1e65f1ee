import { type OrganizationId, Uuid } from "@care/domain/ids"
import type { IdName } from "@care/domain/ownIds"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { execute } from "../sql/rows.ts"
import { findSandbox, sandboxColumns, sandboxRows } from "./sandboxRows.ts"
import type { Sandbox } from "./Time.ts"

/** The tables with the rows of ids, of any organization. Each has an index by `id`. */
export type TablesOfIds = { readonly [Name in IdName]?: string }

type PathParameters = Readonly<Record<string, string | undefined>>

/** The clocks of sandbox organizations in this service. */
export interface TestClocks {
  /** Returns a sandbox organization as this service knows it. It is known here from then on. */
  readonly of: (organizationId: OrganizationId) => Effect.Effect<Sandbox>
  /** Returns the sandbox of the organization that a path names, or to which the thing that it names belongs. */
  readonly sandboxOf: (params: PathParameters) => Effect.Effect<Option.Option<Sandbox>>
}

/** Without `layerTestClocks` all clocks are the machine's. */
export const TestClocks = Context.Reference<TestClocks>("@care/service-kit/time/TestClocks", {
  defaultValue: () => ({
    of: (organizationId) => Effect.succeed({ organizationId, aheadMillis: 0, resets: 0 }),
    sandboxOf: () => Effect.succeedNone
  })
})

const decodeId = Schema.decodeUnknownOption(Uuid)

export const layerTestClocks = (tables: TablesOfIds) =>
  Layer.effect(
    TestClocks,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const findOfThing = (table: string, id: string) =>
        sandboxRows.first(sql`
          SELECT ${sql.literal(sandboxColumns)} FROM ${sql(table)} AS found
          JOIN test_organizations AS test ON test.organization_id = found.organization_id
          WHERE found.id = ${id} LIMIT 1
        `)

      return {
        of: Effect.fnUntraced(function* (organizationId) {
          const found = yield* findSandbox(sql, organizationId)
          if (Option.isSome(found)) return found.value
          yield* execute(sql`
            INSERT INTO test_organizations (organization_id) VALUES (${organizationId})
            ON CONFLICT (organization_id) DO NOTHING
          `)
          return { organizationId, aheadMillis: 0, resets: 0 }
        }),

        sandboxOf: Effect.fnUntraced(function* (params) {
          const organizationId = decodeId(params["organizationId"])
          if (Option.isSome(organizationId)) return yield* findSandbox(sql, organizationId.value)
          for (const [name, table] of Object.entries(tables)) {
            const id = decodeId(params[name])
            if (Option.isSome(id)) return yield* findOfThing(table, id.value)
          }
          return Option.none()
        })
      }
    })
  )
