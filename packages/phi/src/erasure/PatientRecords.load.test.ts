import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { OrganizationId, UserId } from "@care/domain/ids"
import { layerHttpClient, startStream, streamedAnswer } from "@care/service-kit"
import { connection, layerTestDatabase, rawRequest, serveRoutes, until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Stream } from "effect"
import { HttpClient, HttpClientResponse, HttpRouter } from "effect/http"
import { SqlClient } from "effect/sql"
import { layerTestCipher } from "../testing/layerTestCipher.ts"
import { makePatientRecords, ofUser } from "./PatientRecords.ts"

const rows = 1500
const bytesARow = 40_000
// The limit of rows in transit between two processes, with a margin: socket buffers, two on each side, and pages.
const maxAhead = 1000

const TestLayer = Layer.mergeAll(layerTestDatabase("cases"), layerTestCipher, layerHttpClient)

/** Serves a patient with many large rows as a service does. Returns how much was read so far, and whether the response has ended. */
const serveRows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const patient = { organizationId: OrganizationId.make(randomUUID()), userId: UserId.make(randomUUID()) }
  yield* sql`CREATE TABLE IF NOT EXISTS reports (organization_id uuid, user_id uuid, number integer, text text)`
  yield* sql`
    INSERT INTO reports SELECT ${patient.organizationId}::uuid, ${patient.userId}::uuid, n, repeat('x', ${bytesARow}::integer)
    FROM generate_series(1, ${rows}::integer) AS n
  `
  yield* sql`CREATE INDEX IF NOT EXISTS reports_of ON reports (organization_id, user_id, number)`
  const progress = { read: 0, over: 0 }
  const row = {
    visit: () => {},
    open: () => (values: Readonly<Record<string, unknown>>) => {
      progress.read += 1
      return values
    }
  }
  const records = yield* makePatientRecords([{ table: "reports", row, of: ofUser(), key: ["number"] }])
  const watched = Stream.ensuring(
    records(patient),
    Effect.sync(() => (progress.over += 1))
  )
  const answer = Effect.flatMap(startStream(watched), (body) =>
    streamedAnswer(body, { contentType: "application/json" })
  )
  const url = yield* serveRoutes(HttpRouter.add("GET", "/data", answer))
  return { url, progress }
})

/** Serves a proxy that forwards the answer twice. */
const serveThrough = Effect.fnUntraced(function* (inner: string) {
  const client = yield* HttpClient.HttpClient
  const part = HttpClientResponse.stream(client.get(`${inner}/data`)).pipe(Stream.orDie, startStream)
  const answer = Effect.gen(function* () {
    const [first, second] = yield* Effect.all([part, part])
    return yield* streamedAnswer(Stream.concat(first, second), { contentType: "application/json" })
  })
  return yield* serveRoutes(HttpRouter.add("GET", "/data", answer))
})

const openResponse = Effect.fnUntraced(function* (url: string) {
  const socket = yield* connection(url)
  socket.write(rawRequest("GET", "/data"))
  return socket
})

/** Reads the other connections of this database that run a statement or are in a transaction. */
const busy = SqlClient.SqlClient.use(
  (sql) => sql`
    SELECT state FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle' AND backend_type = 'client backend'
  `
)

layer(TestLayer, { excludeTestServices: true, timeout: "60 seconds" })("an export of 60 MB", (it) => {
  it.effect("is read as fast as its reader takes it", () =>
    Effect.gen(function* () {
      const { progress, url } = yield* serveRows
      const socket = yield* openResponse(yield* serveThrough(url))
      let bytes = 0
      let ahead = 0
      yield* Effect.promise(async () => {
        for await (const chunk of socket) {
          bytes += chunk.length
          ahead = Math.max(ahead, progress.read - bytes / bytesARow)
        }
      })
      assert.isAbove(bytes, 2 * rows * bytesARow)
      assert.deepStrictEqual(progress, { read: 2 * rows, over: 2 })
      assert.isBelow(ahead, maxAhead)
    })
  )

  it.effect("holds no connection of the database while nothing is read, and ends when its reader disconnects", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const held = yield* Effect.forkChild(sql.withTransaction(Effect.andThen(sql`SELECT 1`, Effect.never)))
      yield* until(busy, ({ length }) => length === 1)
      yield* Fiber.interrupt(held)
      yield* until(busy, ({ length }) => length === 0)

      const { progress, url } = yield* serveRows
      const socket = yield* openResponse(yield* serveThrough(url))
      yield* Effect.promise(() => once(socket, "readable"))
      // Until the stream waits for its reader, connections are busy at times.
      const standsStill = Effect.gen(function* () {
        const before = progress.read
        const counts = yield* Effect.replicateEffect(busy, 20)
        return progress.read === before && counts.every(({ length }) => length === 0)
      })
      // After 15 seconds PostgreSQL would have ended a transaction that is idle.
      yield* Effect.timeout(
        until(standsStill, (isSo) => isSo),
        "10 seconds"
      )
      assert.isBelow(progress.read, maxAhead)
      assert.strictEqual(progress.over, 0)
      socket.destroy()
      yield* until(
        Effect.sync(() => progress.over),
        (over) => over === 2
      )
    })
  )
})
