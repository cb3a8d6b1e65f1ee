import { randomUUID } from "node:crypto"
import type { ServiceName } from "@care/domain/peers"
import { PgClient } from "@effect/sql-pg"
import { Clock, Context, Effect, Layer, ManagedRuntime, Record, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { layerPool } from "../sql/layerDatabase.ts"

// One connection for all databases of a process, because connecting costs half as much as making a database.
const superuser = ManagedRuntime.make(
  Layer.unwrap(Effect.sync(() => PgClient.layer({ url: Redacted.make(inject("databaseUrl")), maxConnections: 1 })))
)

const asSuperuser = <A, E>(use: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
  Effect.flatMap(superuser.contextEffect, (context) => use(Context.get(context, SqlClient.SqlClient)))

const onDatabase = (url: string, name: string): string => {
  const changed = new URL(url)
  changed.pathname = name
  return changed.toString()
}

const makeDatabase = (template: string) =>
  Effect.acquireRelease(
    Effect.gen(function* () {
      const name = `test_${randomUUID().replaceAll("-", "")}`
      yield* asSuperuser((sql) => sql`CREATE DATABASE ${sql(name)} TEMPLATE ${sql(template)} STRATEGY FILE_COPY`)
      return { name, url: onDatabase(inject("databaseUrl"), name) }
    }),
    ({ name }) => Effect.orDie(asSuperuser((sql) => sql`DROP DATABASE ${sql(name)} WITH (FORCE)`))
  )

/** Makes an empty database, and returns the URL of its owner. It is dropped when the scope closes. */
export const makeEmptyDatabase = makeDatabase("template1")

/**
 * Makes a clone of the migrated template, which is dropped when the scope closes. `url` is the superuser's. `urls` are the services', each
 * with a role that can use its own schema only.
 */
export const makeTestDatabase = Effect.map(makeDatabase("care_template"), ({ name, url }) => ({
  name,
  url,
  urls: Record.map(inject("serviceUrls"), (serviceUrl) => onDatabase(serviceUrl, name))
}))

// The pool checks its connections every few seconds, which would be thousands of times when a test adjusts its clock by days.
const layerRealTime = Layer.succeed(Clock.Clock, Clock.Clock.defaultValue())

export const layerTestDatabase = (schema: ServiceName, connections = 5) =>
  Layer.unwrap(
    Effect.map(makeTestDatabase, ({ urls }) =>
      layerPool({ url: Redacted.make(urls[schema]), schema, connections, backgroundConnections: 3 })
    )
  ).pipe(Layer.provide(layerRealTime))
