import { Job } from "@care/jobs"
import { makePhiKey } from "@care/phi/testing"
import { freePort, makeTestDatabase, until } from "@care/service-kit/testing"
import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Deferred, Effect, Fiber, Layer, Redacted, Schema } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { SqlClient } from "effect/sql"
import { layerService } from "./layerService.ts"

class Greetings extends Job.make<Greetings>()("greeting", {
  version: 1,
  schema: Schema.Struct({ note: Schema.String }),
  retries: Job.upTo(1),
  concurrency: 1
}) {}

it.live("a service opens its port after its migrations, when its tables and queues exist", () =>
  Effect.gen(function* () {
    const { url } = yield* makeTestDatabase
    const sqlOfKeeper = yield* Effect.provide(
      SqlClient.SqlClient,
      yield* Layer.build(PgClient.layerFrom(PgClient.makeClient({ url: Redacted.make(url) })))
    )
    const port = yield* freePort
    const done = yield* Deferred.make<string>()
    const things = Layer.unwrap(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { offer } = yield* Greetings
        const insertAndOffer = sql.withTransaction(
          Effect.andThen(sql`INSERT INTO things VALUES (1)`, offer({ note: "done" }))
        )
        return HttpRouter.add(
          "GET",
          "/health/things",
          Effect.andThen(
            insertAndOffer,
            Effect.map(Deferred.await(done), (note) => HttpServerResponse.text(note))
          )
        )
      })
    )
    const worker = Greetings.worker(Effect.succeed(({ note }) => Effect.asVoid(Deferred.succeed(done, note))))
    const migration = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`SELECT pg_advisory_xact_lock(7)`
      yield* sql`CREATE TABLE things (id integer)`
    })
    const migrationsRun = yield* sqlOfKeeper<{ file: string }>`
        SELECT lpad(migration_id::text, 4, '0') || '_' || name AS file FROM payments.migrations
      `
    const service = layerService({
      name: "payments",
      migrations: {
        ...Object.fromEntries(migrationsRun.map(({ file }) => [file, Effect.void])),
        "9999_create_things": migration
      },
      routes: Layer.merge(things, worker).pipe(Layer.provide(Greetings.layer))
    }).pipe(
      Layer.provide(
        ConfigProvider.layer(
          ConfigProvider.fromUnknown({
            DATABASE_URL: url,
            PORT: port,
            INTERNAL_SECRET: "made-up-for-this-test",
            PHI_KEY: makePhiKey("k1")
          })
        )
      )
    )
    const request = Effect.promise(() =>
      fetch(`http://127.0.0.1:${port}/health/things`).then(
        (answer) => answer.text(),
        ({ cause }) => String(cause?.code)
      )
    )

    yield* sqlOfKeeper`SELECT pg_advisory_lock(7)`
    const starting = yield* Effect.forkChild(Layer.build(service))
    const migrating = sqlOfKeeper`
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'
    `
    yield* until(migrating, ({ length }) => length === 1)
    assert.strictEqual(yield* request, "ECONNREFUSED")
    yield* sqlOfKeeper`SELECT pg_advisory_unlock(7)`
    yield* Fiber.join(starting)
    assert.strictEqual(yield* request, "done")
  }).pipe(Effect.scoped)
)
