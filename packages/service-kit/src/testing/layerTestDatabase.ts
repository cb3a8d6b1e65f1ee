import { randomUUID } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { layerPool } from "../sql/layerDatabase.ts"

const asSuperuser = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(effect, PgClient.layer({ url: Redacted.make(inject("databaseUrl")), maxConnections: 1 }))

const onDatabase = (url: string, name: string): string => {
  const changed = new URL(url)
  changed.pathname = name
  return changed.toString()
}

/**
 * A database of its own, cloned from the migrated template; dropped when the scope closes. `url` is the superuser's,
 * `urls` are the services', each with a role that can use nothing but its schema.
 */
export const makeTestDatabase = Effect.acquireRelease(
  Effect.gen(function* () {
    const name = `test_${randomUUID().replaceAll("-", "")}`
    yield* asSuperuser(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE DATABASE ${sql(name)} TEMPLATE care_template`)
    )
    const { auth, cases, payments, scheduling } = inject("serviceUrls")
    return {
      name,
      url: onDatabase(inject("databaseUrl"), name),
      urls: {
        auth: onDatabase(auth, name),
        cases: onDatabase(cases, name),
        payments: onDatabase(payments, name),
        scheduling: onDatabase(scheduling, name)
      }
    }
  }),
  ({ name }) =>
    Effect.orDie(
      asSuperuser(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`DROP DATABASE ${sql(name)} WITH (FORCE)`))
    )
)

/** The SQL layer of one service on a database of its own. */
export const layerTestDatabase = (schema: "auth" | "cases" | "payments" | "scheduling") =>
  Layer.unwrap(
    Effect.map(makeTestDatabase, ({ urls }) =>
      layerPool({ url: Redacted.make(urls[schema]), schema, maxConnections: 5 })
    )
  )
