import type { OrganizationId } from "@care/domain/ids"
import { makeRemoveJobs } from "@care/jobs"
import { execute, inTransaction, type OrganizationTable, organizationTables, rowsOf, Time } from "@care/service-kit"
import { Clock, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { inOrderOfRemoval } from "./inOrderOfRemoval.ts"
import { commonKeptTables, type KeptTables } from "./KeptTables.ts"

// Few enough for a second, also of parts of files.
const rowsAtOnce = 500

// A caller waits three seconds for an answer, and asks again until nothing is left.
const clearMillis = 1000

const schemas = rowsOf(Schema.Struct({ schema: Schema.String }))
const counts = rowsOf(Schema.Struct({ changed: Schema.Int }))

// What a reset does is not work for the sandbox, which the reset ends.
const asReset = Effect.provideService(Time.TestOrganization, undefined)

/**
 * Makes the parts of a reset of a sandbox in this service. Between `close` and `open` nobody changes its rows (`requireNotReset`). Each
 * statement of `clear` checks itself that the organization is a sandbox under this reset.
 */
export const makeOwnReset = Effect.fnUntraced(function* (keptTables: KeptTables) {
  const sql = yield* SqlClient.SqlClient
  const removeJobs = yield* makeRemoveJobs
  const kept = { ...commonKeptTables, ...keptTables }
  const { schema } = yield* schemas.one(sql`SELECT current_schema()::text AS schema`)

  const count = (statement: string, organizationId: OrganizationId, resets: number) =>
    Effect.map(
      counts.one(
        sql.unsafe(`WITH changed AS (${statement} RETURNING 1) SELECT count(*)::integer AS changed FROM changed`, [
          organizationId,
          resets
        ]).unprepared
      ),
      ({ changed }) => changed
    )

  const isUnderReset = `EXISTS (
    SELECT FROM test_organizations AS test
    WHERE test.organization_id = $1::uuid AND test.resets = $2::integer AND test.is_resetting
  )`

  const removal = ({ key, name }: OrganizationTable, condition: string) => {
    const columns = key.map((column) => `"${column}"`).join(", ")
    return `DELETE FROM "${name}" WHERE organization_id = $1::uuid AND (${columns}) IN (
      SELECT ${columns} FROM "${name}" WHERE organization_id = $1::uuid AND (${condition}) AND ${isUnderReset} LIMIT ${rowsAtOnce}
    )`
  }

  const statements = Effect.map(organizationTables(sql, schema), (tables) =>
    inOrderOfRemoval(tables.filter(({ name }) => !name.startsWith("audit_"))).flatMap((table) => {
      const { name } = table
      const keeping = kept[name]
      const { changed, removed } = keeping ?? { removed: "true" }
      return [
        ...(removed === undefined ? [] : [removal(table, removed)]),
        ...(changed === undefined
          ? []
          : [
              `UPDATE "${name}" SET ${changed.set}
               WHERE organization_id = $1::uuid AND (${changed.where}) AND ${isUnderReset}`
            ])
      ]
    })
  )

  return {
    /** Ends all work for the sandbox: what began before is stored by now, or never. */
    close: (organizationId: OrganizationId, resets: number) =>
      Effect.andThen(
        execute(sql`
          UPDATE test_organizations SET resets = ${resets}, is_resetting = true, ahead_millis = 0
          WHERE organization_id = ${organizationId} AND resets < ${resets}
        `),
        // Waits for the transactions that began before.
        inTransaction(sql)(
          execute(sql`SELECT FROM test_organizations WHERE organization_id = ${organizationId} FOR UPDATE`)
        )
      ).pipe(asReset),

    /** Removes rows for about a second. Returns how many there were. */
    clear: Effect.fnUntraced(function* (organizationId: OrganizationId, resets: number) {
      const end = (yield* Clock.currentTimeMillis) + clearMillis
      let changed = yield* removeJobs(organizationId, resets)
      for (const statement of yield* statements) {
        let some: number
        do {
          some = yield* count(statement, organizationId, resets)
          changed += some
          if ((yield* Clock.currentTimeMillis) >= end && some > 0) return changed
        } while (some >= rowsAtOnce)
      }
      return changed
    }, asReset),

    /** Lets work begin again. */
    open: (organizationId: OrganizationId, resets: number) =>
      asReset(
        execute(sql`
          UPDATE test_organizations SET is_resetting = false
          WHERE organization_id = ${organizationId} AND resets = ${resets} AND is_resetting
        `)
      )
  }
})
