import { randomUUID } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { layerPool } from "../sql/layerDatabase.ts"

const asSuperuser = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(effect, PgClient.layer({ url: Redacted.make(inject("databaseUrl")), maxConnections: 1 }))

/** The URL of a database of its own, cloned from the migrated template; dropped when the scope closes. */
export const makeTestDatabase = Effect.acquireRelease(
  Effect.gen(function* () {
    const name = `test_${randomUUID().replaceAll("-", "")}`
    yield* asSuperuser(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE DATABASE ${sql(name)} TEMPLATE care_template`)
    )
    return { name, url: inject("databaseUrl").replace(/\/postgres$/, `/${name}`) }
  }),
  ({ name }) =>
    Effect.orDie(
      asSuperuser(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`DROP DATABASE ${sql(name)} WITH (FORCE)`))
    )
)

/** The SQL layer of one service on a database of its own. */
export const layerTestDatabase = (schema: string) =>
  Layer.unwrap(
    Effect.map(makeTestDatabase, ({ url }) => layerPool({ url: Redacted.make(url), schema, maxConnections: 5 }))
  )
