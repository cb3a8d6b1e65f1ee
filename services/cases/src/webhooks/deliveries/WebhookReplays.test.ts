import { layerQuickJobs } from "@care/jobs/testing"
import { Once } from "@care/once"
import { newest, oldest } from "@care/service-kit"
import { countLockWaits, until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layerStoredCases } from "../../../test/storedCases.ts"
import { makeEndpoint, newOrganization } from "../../../test/storedWebhooks.ts"
import { WebhookEndpoints } from "../endpoints/WebhookEndpoints.ts"
import { DeliveryWakeUp } from "./DeliveryWakeUp.ts"
import { Replays } from "./Replays.ts"
import { WebhookReplays } from "./WebhookReplays.ts"

const TestLayer = Layer.merge(Replays.layer, WebhookReplays.layerWorker).pipe(
  Layer.provide([DeliveryWakeUp.layer, WebhookEndpoints.layer, WebhookReplays.layer, Once.layer]),
  Layer.provide(layerQuickJobs),
  Layer.provideMerge(layerStoredCases)
)

layer(TestLayer, { excludeTestServices: true })("a range of events", (it) => {
  const yesterday = Date.now() - 86_400_000
  const at = (second: number) => new Date(yesterday + second * 1000)

  /** Stores an endpoint and events, one a second, as delivered to it. Nothing is sent here. */
  const make = Effect.fnUntraced(function* (count: number) {
    const organizationId = newOrganization()
    const sql = yield* SqlClient.SqlClient
    const endpointId = yield* makeEndpoint(organizationId, "https://shop.example.com/")
    yield* sql`
      INSERT INTO events (organization_id, id, position, type, is_test, at, data, created_at)
      SELECT ${organizationId}, gen_random_uuid(), n, 'ping', false, now(), '{}', ${at(0)}::timestamptz + n * interval '1 second'
      FROM generate_series(1, ${count}::integer) n
    `
    yield* sql`
      INSERT INTO webhook_deliveries (
        organization_id, id, endpoint_id, event_id, event_type, lane, position, status, attempts, attempts_left, created_at
      )
      SELECT organization_id, gen_random_uuid(), ${endpointId}, id, type, id, position, 'DELIVERED', 1, 9, created_at
      FROM events WHERE organization_id = ${organizationId}
    `
    const pending = Effect.map(
      sql<{ position: string }>`
        SELECT position::text FROM webhook_deliveries
        WHERE organization_id = ${organizationId} AND status = 'PENDING' ORDER BY position
      `,
      (rows) => rows.map(({ position }) => Number(position))
    )
    const jobs = sql<{ state: string }>`
      SELECT state FROM jobs WHERE organization_id = ${organizationId} AND queue_name = 'webhook-replay'
    `
    const isOver = until(jobs, (all) => all.every(({ state }) => state === "completed"))
    return { requester: { organizationId, key: undefined }, endpointId, pending, isOver, jobs }
  })

  it.effect("is replayed to its end, by one job for each page, also when a job is repeated", () =>
    Effect.gen(function* () {
      const { all } = yield* Replays
      const sql = yield* SqlClient.SqlClient
      const { requester, endpointId, isOver, jobs, pending } = yield* make(1100)
      const offer = Effect.orDie(all(requester, endpointId, { since: oldest.createdAt, until: newest.createdAt }))
      const offered = sql<{ id: string; payload: Uint8Array }>`
        SELECT id, payload FROM jobs WHERE organization_id = ${requester.organizationId} AND queue_name = 'webhook-replay'
      `
      const [first = assert.fail("there is no job")] = yield* sql.withTransaction(Effect.andThen(offer, offered))
      yield* until(pending, ({ length }) => length === 1100)
      yield* isOver
      assert.lengthOf(yield* jobs, 3)
      // As if its process had died before the job was completed.
      yield* sql`
        UPDATE jobs SET state = 'pending', ended_at = NULL, payload = ${first.payload}, due_at = now() WHERE id = ${first.id}
      `
      yield* isOver
      assert.lengthOf(yield* jobs, 3)
    })
  )

  it.effect("is replayed by one replay at a time, until its last page is done", () =>
    Effect.gen(function* () {
      const { all, missing } = yield* Replays
      const sql = yield* SqlClient.SqlClient
      const { requester, endpointId, isOver, jobs, pending } = yield* make(600)
      const replay = all(requester, endpointId, { since: oldest.createdAt, until: newest.createdAt })
      const isHeld = yield* Deferred.make<void>()
      const end = yield* Deferred.make<void>()
      const holder =
        yield* sql`SELECT FROM webhook_deliveries WHERE organization_id = ${requester.organizationId} FOR UPDATE`.pipe(
          Effect.andThen(Deferred.succeed(isHeld, undefined)),
          Effect.andThen(Deferred.await(end)),
          sql.withTransaction,
          Effect.forkChild
        )
      yield* Deferred.await(isHeld)
      yield* Effect.orDie(replay)
      yield* until(jobs, ([job]) => job?.state === "running")
      for (const again of [replay, missing(requester, endpointId, oldest.createdAt)]) {
        assert.deepInclude(yield* Effect.flip(again), { _tag: "WebhookReplayUnderWay" })
      }
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(holder)
      yield* isOver
      assert.lengthOf(yield* pending, 600)
      yield* Effect.orDie(replay)
      yield* isOver
      assert.lengthOf(yield* jobs, 4)
    })
  )

  it.effect("has no missing events of more than 30 days ago, which a month may still store", () =>
    Effect.gen(function* () {
      const { missing } = yield* Replays
      const sql = yield* SqlClient.SqlClient
      const { requester, endpointId, isOver, pending } = yield* make(20)
      for (const table of ["events", "webhook_deliveries"]) {
        yield* sql`
          UPDATE ${sql(table)} SET created_at = created_at - interval '30 days'
          WHERE organization_id = ${requester.organizationId} AND position <= 15
        `
      }
      yield* sql`UPDATE webhook_deliveries SET status = 'FAILED' WHERE endpoint_id = ${endpointId}`
      yield* Effect.orDie(missing(requester, endpointId, oldest.createdAt))
      yield* isOver
      assert.deepStrictEqual(yield* pending, [16, 17, 18, 19, 20])
    })
  )

  for (const kind of ["all", "missing"] as const) {
    it.effect(`ends with the page at which its endpoint is disabled: ${kind}`, () =>
      Effect.gen(function* () {
        const replays = yield* Replays
        const sql = yield* SqlClient.SqlClient
        const { requester, endpointId, isOver, jobs, pending } = yield* make(600)
        yield* sql`UPDATE webhook_deliveries SET status = 'FAILED' WHERE endpoint_id = ${endpointId}`
        const range = { since: oldest.createdAt, until: newest.createdAt }
        const replay =
          kind === "all"
            ? replays.all(requester, endpointId, range)
            : replays.missing(requester, endpointId, range.since)
        const isHeld = yield* Deferred.make<void>()
        const end = yield* Deferred.make<void>()
        const holder = yield* sql`SELECT FROM webhook_deliveries WHERE endpoint_id = ${endpointId} FOR UPDATE`.pipe(
          Effect.andThen(Deferred.succeed(isHeld, undefined)),
          Effect.andThen(Deferred.await(end)),
          sql.withTransaction,
          Effect.forkChild
        )
        yield* Deferred.await(isHeld)
        yield* Effect.orDie(replay)
        // The first page waits: its job has seen that the endpoint is enabled.
        yield* until(countLockWaits("FROM webhook_deliveries"), (waits) => waits >= 1)
        yield* sql`UPDATE webhook_endpoints SET is_enabled = false WHERE id = ${endpointId}`
        yield* Deferred.succeed(end, undefined)
        yield* Fiber.join(holder)
        yield* isOver
        assert.lengthOf(yield* jobs, 2)
        assert.lengthOf(yield* pending, 500)
      })
    )
  }

  it.effect("includes its first and its last moment", () =>
    Effect.gen(function* () {
      const { all } = yield* Replays
      const { requester, endpointId, isOver, pending } = yield* make(5)
      yield* Effect.orDie(all(requester, endpointId, { since: at(2), until: at(4) }))
      yield* until(pending, ({ length }) => length > 0)
      yield* isOver
      assert.deepStrictEqual(yield* pending, [2, 3, 4])
    })
  )
})
