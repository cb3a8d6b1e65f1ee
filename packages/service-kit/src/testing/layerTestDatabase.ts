import { randomUUID } from "node:crypto"
import type { ServiceName } from "@care/domain/peers"
import { PgClient } from "@effect/sql-pg"
import { Clock, Context, Effect, Layer, ManagedRuntime, Record, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { layerPool } from "../sql/layerDatabase.ts"

const connect = (superuserUrl: string) =>
  ManagedRuntime.make(PgClient.layer({ url: Redacted.make(superuserUrl), maxConnections: 1 }))

const superusers = new Map<string, ReturnType<typeof connect>>()

// One connection for all databases of a server in a process, because connecting costs half as much as making a database.
const asSuperuser = Effect.fnUntraced(function* <A, E>(
  url: string,
  use: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>
) {
  const superuser = superusers.get(url) ?? connect(url)
  superusers.set(url, superuser)
  return yield* use(Context.get(yield* superuser.contextEffect, SqlClient.SqlClient))
})

const onDatabase = (url: string, name: string): string => {
  const changed = new URL(url)
  changed.pathname = name
  return changed.toString()
}

const makeDatabase = (template: string, superuserUrl = inject("databaseUrl")) => {
  // A distributed database is one on each node, and each has its part of what Citus knows.
  const nodeUrls = superuserUrl === inject("databaseUrl") ? [superuserUrl, ...inject("workerUrls")] : [superuserUrl]
  const onEachNode = <A, E>(use: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
    Effect.forEach(nodeUrls, (url) => asSuperuser(url, use), { concurrency: "unbounded", discard: true })
  return Effect.acquireRelease(
    Effect.gen(function* () {
      const name = `test_${randomUUID().replaceAll("-", "")}`
      yield* onEachNode((sql) => sql`CREATE DATABASE ${sql(name)} TEMPLATE ${sql(template)} STRATEGY FILE_COPY`)
      return { name, url: onDatabase(superuserUrl, name) }
    }),
    // A worker of Citus may connect again while the database is being dropped.
    ({ name }) =>
      Effect.orDie(onEachNode((sql) => Effect.retry(sql`DROP DATABASE ${sql(name)} WITH (FORCE)`, { times: 5 })))
  )
}

/** Makes an empty database, and returns the URL of its owner. It is dropped when the scope closes. */
export const makeEmptyDatabase = Effect.suspend(() => makeDatabase("template1"))

/**
 * Makes a clone of the migrated template, which is dropped when the scope closes. `url` is the superuser's. `urls` are the services', each
 * with a role that can use its own schema only.
 */
export const makeTestDatabase = Effect.map(
  Effect.suspend(() => makeDatabase("care_template")),
  ({ name, url }) => ({
    name,
    url,
    urls: Record.map(inject("serviceUrls"), (serviceUrl) => onDatabase(serviceUrl, name))
  })
)

const throughPooler = (url: string): string => {
  const changed = new URL(url)
  changed.host = inject("pooler")?.host ?? changed.host
  return changed.toString()
}

/**
 * Makes the databases of a suite, which are dropped when the scope closes: one for all services or, with `CARE_FOUR_DATABASES`, one for
 * each on a server of its own. `ownerUrls` are the superusers', `urls` the services', with `CARE_POOLER` through a pooler.
 */
export const makeSuiteDatabases = Effect.gen(function* () {
  const servers = inject("servers")
  if (servers === undefined) {
    const { url, urls } = yield* makeTestDatabase
    return { ownerUrls: Record.map(urls, () => url), urls: Record.map(urls, throughPooler) }
  }
  const databases = yield* Effect.all(
    Record.map(servers, ({ superuserUrl, serviceUrl }) =>
      Effect.map(makeDatabase("care_template", superuserUrl), ({ name, url }) => ({
        ownerUrl: url,
        url: onDatabase(serviceUrl, name)
      }))
    ),
    { concurrency: "unbounded" }
  )
  return {
    ownerUrls: Record.map(databases, ({ ownerUrl }) => ownerUrl),
    urls: Record.map(databases, ({ url }) => url)
  }
})

// The pool checks its connections every few seconds, which would be thousands of times when a test adjusts its clock by days.
const layerRealTime = Layer.succeed(Clock.Clock, Clock.Clock.defaultValue())

export const layerTestDatabase = (schema: ServiceName, connections = 5) =>
  Layer.unwrap(
    Effect.map(makeTestDatabase, ({ urls }) =>
      layerPool({ url: Redacted.make(urls[schema]), schema, connections, backgroundConnections: 3 })
    )
  ).pipe(Layer.provide(layerRealTime))
