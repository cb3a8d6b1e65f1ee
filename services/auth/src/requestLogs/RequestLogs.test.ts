import { randomUUID } from "node:crypto"
import { type RequestLogBatch, requestsLoggedADay } from "@care/domain/auth"
import { ApiKeyId, OrganizationId } from "@care/domain/ids"
import { removeOldRows } from "@care/service-kit"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { layerBase } from "../../test/layerAuth.ts"
import { oldRows } from "../oldRows.ts"
import { RequestLogs } from "./RequestLogs.ts"

const newOrganization = () => OrganizationId.make(randomUUID())

const ask = { limit: 100 }

// The clock begins at midnight.
const afterMidnight = TestClock.adjust("1 hour")

layer(Layer.provideMerge(RequestLogs.layer, layerBase))("RequestLogs", (it) => {
  /** Makes requests of an organization, a second after each other, the last one now. */
  const requestsOf = (organizationId: OrganizationId, count: number, status = 200) =>
    Effect.map(DateTime.now, (now) =>
      Array.from({ length: count }, (_, index) => ({
        organizationId,
        id: randomUUID(),
        at: DateTime.toDateUtc(DateTime.subtract(now, { seconds: count - 1 - index })),
        method: "GET",
        path: "/api/v1/events",
        status,
        durationMs: 3,
        requestId: randomUUID(),
        apiKeyId: ApiKeyId.make(randomUUID()),
        errorCode: status < 400 ? null : "REQUEST_INVALID",
        version: null
      }))
    )

  const store = (batch: Partial<RequestLogBatch>) =>
    Effect.flatMap(RequestLogs, (logs) => logs.store(JSON.stringify({ requests: [], dropped: [], ...batch })))

  const list = (organizationId: OrganizationId, query: object = {}) =>
    Effect.flatMap(RequestLogs, (logs) => logs.list(organizationId, { ...ask, ...query }))

  it.effect("a batch that is sent again, whole or in part, is stored once", () =>
    Effect.gen(function* () {
      const [one, two] = [newOrganization(), newOrganization()]
      yield* afterMidnight
      const [ofOne, ofTwo] = [yield* requestsOf(one, 3), yield* requestsOf(two, 1)]
      yield* store({ requests: [...ofOne.slice(0, 2), ...ofTwo] })
      yield* Effect.all([store({ requests: [...ofOne, ...ofTwo] }), store({ requests: ofOne })], {
        concurrency: "unbounded"
      })
      const listed = yield* list(one)
      assert.deepStrictEqual(
        listed.data.map(({ id }) => id),
        ofOne.map(({ id }) => id).toReversed()
      )
      assert.isTrue(listed.isComplete)
      assert.lengthOf((yield* list(two)).data, 1)
      const sql = yield* SqlClient.SqlClient
      const days = yield* sql`SELECT stored FROM request_log_days WHERE organization_id = ${one}`
      assert.deepStrictEqual(days, [{ stored: 3 }])
    })
  )

  it.effect("pages and filters: by status, by class of status, by request, and by time", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const requests = [
        ...(yield* requestsOf(organizationId, 3)),
        ...(yield* requestsOf(organizationId, 2, 422)),
        ...(yield* requestsOf(organizationId, 1, 404))
      ]
      yield* store({ requests })
      const first = yield* list(organizationId, { limit: 4 })
      const second = yield* list(organizationId, { limit: 4, cursor: first.nextCursor ?? undefined })
      assert.isNull(second.nextCursor)
      const ids = [...first.data, ...second.data].map(({ id }) => id)
      assert.sameMembers(
        ids,
        requests.map(({ id }) => id)
      )
      const counted = (query: object) => Effect.map(list(organizationId, query), ({ data }) => data.length)
      assert.strictEqual(yield* counted({ status: "4xx" }), 3)
      assert.strictEqual(yield* counted({ status: "422" }), 2)
      assert.strictEqual(yield* counted({ status: "5xx" }), 0)
      assert.strictEqual(yield* counted({ requestId: requests[4]?.requestId }), 1)
      assert.strictEqual(yield* counted({ since: requests[1]?.at }), 5)
      assert.strictEqual(yield* counted({ until: requests[0]?.at }), 1)
    })
  )

  it.effect(
    "an organization has its share of a day, and its list says that some are missing; its neighbour's does not",
    () =>
      Effect.gen(function* () {
        const [flooding, quiet] = [newOrganization(), newOrganization()]
        yield* afterMidnight
        const sql = yield* SqlClient.SqlClient
        yield* store({ requests: yield* requestsOf(flooding, 1) })
        yield* sql`
        UPDATE request_log_days SET stored = ${requestsLoggedADay - 2} WHERE organization_id = ${flooding}
      `
        const requests = [...(yield* requestsOf(flooding, 5)), ...(yield* requestsOf(quiet, 5))]
        const { full } = yield* store({ requests })
        assert.deepStrictEqual(
          full.map(({ organizationId }) => organizationId),
          [flooding]
        )
        assert.isTrue(full.every(({ until }) => requests.every(({ at }) => at < until)))
        const [ofFlooding, ofQuiet] = [yield* list(flooding), yield* list(quiet)]
        assert.deepStrictEqual([ofFlooding.data.length, ofFlooding.isComplete], [3, false])
        assert.deepStrictEqual([ofQuiet.data.length, ofQuiet.isComplete], [5, true])
      })
  )

  it.effect("a batch of which no rows can be made is refused, and stores nothing", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const [request] = yield* requestsOf(organizationId, 1)
      const wrong = [{ status: "ok" }, { at: "soon" }, { id: null }, { path: "\u0000" }, { durationMs: 2 ** 40 }]
      const batches = wrong.map((fields) => ({ requests: [request, { ...request, ...fields }], dropped: [] }))
      for (const batch of ["{", "[]x", ...batches.map((given) => JSON.stringify(given))]) {
        const refusal = yield* Effect.flip(Effect.flatMap(RequestLogs, (logs) => logs.store(batch)))
        assert.strictEqual(refusal._tag, "RequestLogRefused", batch)
      }
      assert.lengthOf((yield* list(organizationId)).data, 0)
    })
  )

  it.effect("what the gateway dropped makes the day incomplete", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      yield* store({ dropped: [{ organizationId, at: yield* DateTime.nowAsDate }] })
      assert.isFalse((yield* list(organizationId)).isComplete)
    })
  )

  it.effect(
    "requests wait while their organization moves, are dropped once it is in another cell, and keep no other's",
    () =>
      Effect.gen(function* () {
        const [moving, other] = [newOrganization(), newOrganization()]
        const sql = yield* SqlClient.SqlClient
        const requests = [...(yield* requestsOf(moving, 1)), ...(yield* requestsOf(other, 1))]
        yield* sql`SELECT set_move(${moving}::uuid, 'c2', 'FROZEN', 'infinity')`
        assert.deepStrictEqual(yield* store({ requests }), { waiting: [moving], full: [] })
        assert.lengthOf((yield* list(other)).data, 1)
        yield* sql`SELECT set_move(${moving}::uuid, 'c2', 'MOVED')`
        assert.deepStrictEqual(yield* store({ requests }), { waiting: [], full: [] })
        assert.lengthOf((yield* list(moving)).data, 0)
        yield* sql`DELETE FROM organization_moves WHERE organization_id = ${moving}`
      })
  )

  it.effect("what is older than seven days is neither listed nor kept", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const sql = yield* SqlClient.SqlClient
      const stored = sql`SELECT FROM request_logs WHERE organization_id = ${organizationId}`
      yield* store({ requests: yield* requestsOf(organizationId, 1) })
      yield* removeOldRows(oldRows)
      assert.lengthOf(yield* stored, 1)
      yield* TestClock.adjust("168 hours")
      yield* TestClock.adjust("1 millis")
      assert.lengthOf((yield* list(organizationId, { since: new Date(0) })).data, 0)
      yield* removeOldRows(oldRows)
      assert.lengthOf(yield* stored, 0)
    })
  )
})
