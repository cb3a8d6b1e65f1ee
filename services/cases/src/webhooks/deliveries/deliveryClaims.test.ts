import type { ServerResponse } from "node:http"
import { layerIdleJobs } from "@care/jobs/testing"
import { Egress } from "@care/service-kit"
import { layerTestConfig, whileHeld } from "@care/service-kit/testing"
import { stepDelivery } from "@care/webhooks"
import { assert, layer } from "@effect/vitest"
import { Clock, DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layerStoredCases } from "../../../test/storedCases.ts"
import {
  layerLimits,
  makeEndpoint,
  makeEventfulCase,
  makeMovedClock,
  newOrganization,
  readDeliveries,
  recordEvent,
  serveEndpoint,
  untilArrived
} from "../../../test/storedWebhooks.ts"
import { WebhookEndpoints } from "../endpoints/WebhookEndpoints.ts"
import { EventRelay } from "../events/EventRelay.ts"
import { makeDeliveryAttemptsRepo } from "./DeliveryAttemptsRepo.ts"
import { makeDeliveryQueuesRepo } from "./DeliveryQueuesRepo.ts"
import { DeliveryWakeUp } from "./DeliveryWakeUp.ts"
import { EndpointQueues } from "./EndpointQueues.ts"
import { layerDispatch } from "./layerDispatch.ts"
import { makeSendAgain } from "./makeSendAgain.ts"

const { clock, pass } = makeMovedClock()

// Makes the first look-up of an endpoint take until its claim has almost ended.
const layerLate = Layer.effect(
  WebhookEndpoints,
  Effect.gen(function* () {
    const { outcome, signing } = yield* WebhookEndpoints
    let looks = 0
    return WebhookEndpoints.of({
      outcome,
      signing: Effect.fnUntraced(function* (organizationId, id) {
        looks += 1
        if (looks === 1) yield* pass("40 seconds")
        return yield* signing(organizationId, id)
      })
    })
  })
).pipe(Layer.provide(WebhookEndpoints.layer))

const TestLayer = Layer.merge(layerDispatch.pipe(Layer.provide(layerLate)), EventRelay.layer).pipe(
  Layer.provide([EndpointQueues.layer, Egress.layer]),
  Layer.provide([layerIdleJobs, layerTestConfig({ name: "cases" })]),
  Layer.provide(layerLimits()),
  Layer.provideMerge(layerStoredCases),
  Layer.provideMerge(Layer.succeed(Clock.Clock, clock))
)

layer(TestLayer, { excludeTestServices: true })("the claim of a queue", (it) => {
  it.effect("covers the time of an attempt when that begins, also after a delay", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const held: Array<ServerResponse> = []
      const { endpointId, organizationId, received } = yield* serveEndpoint((_, response) => void held.push(response))
      yield* makeEventfulCase(organizationId)
      yield* (yield* EventRelay).relayNext
      yield* untilArrived(received, 1)
      const [queue] = yield* sql<{ claimedUntil: Date }>`
        SELECT claimed_until FROM delivery_queues WHERE endpoint_id = ${endpointId}
      `
      assert.isAbove((queue?.claimedUntil.getTime() ?? 0) - (yield* Clock.currentTimeMillis), 14_000)
      held[0]?.writeHead(204).end()
    })
  )
})

// Without a dispatcher: the tests claim queues themselves.
const StillLayer = Layer.merge(EventRelay.layer, DeliveryWakeUp.layer).pipe(Layer.provideMerge(layerStoredCases))

layer(StillLayer, { excludeTestServices: true })("a claimed queue", (it) => {
  const claimQueue = Effect.gen(function* () {
    const organizationId = newOrganization()
    const { relayNext } = yield* EventRelay
    const [attempts, queues] = [yield* makeDeliveryAttemptsRepo, yield* makeDeliveryQueuesRepo]
    const endpointId = yield* makeEndpoint(organizationId, "https://shop.example.com/")
    const caseId = yield* makeEventfulCase(organizationId)
    yield* relayNext
    const at = yield* DateTime.nowAsDate
    const until = new Date(at.getTime() + 45_000)
    const claimed = yield* queues.claim({ counts: { PROVEN: 0, FRESH: 9, FAILING: 0 }, except: [] }, at, until)
    const queue = claimed.find((queue) => queue.endpointId === endpointId) ?? assert.fail("it was not claimed")
    const [found] = yield* attempts.next(queue, [], 8, at)
    if (found === undefined || found.id === null) return assert.fail("nothing is next")
    const finished = { at, durationMillis: 1, status: 204, failure: null, answer: null }
    const store = (outcome: "DELIVERED" | "FAILED", retryAfter?: Duration.Duration) => (claim: typeof queue) =>
      attempts.store(claim, found, finished, stepDelivery(found, { outcome, retryAfter }, at, 0))
    const add = Effect.andThen(recordEvent(organizationId, caseId), relayNext)
    const [succeed, fail] = [store("DELIVERED"), store("FAILED", Duration.hours(1))]
    const later = new Date(at.getTime() + 3_600_000)
    return { organizationId, endpointId, attempts, queues, queue, delivery: found, at, succeed, fail, later, add }
  })
  const queueOf = (endpointId: string) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.map(
        sql<{ dueAt: Date | null; claimId: string | null }>`
          SELECT due_at, claim_id FROM delivery_queues WHERE endpoint_id = ${endpointId}
        `,
        ([queue]) => queue ?? assert.fail("there is no queue")
      )
    )

  it.effect("reads and stores nothing once another process has claimed it", () =>
    Effect.gen(function* () {
      const { at, attempts, endpointId, organizationId, queue, queues, succeed } = yield* claimQueue
      const lost = { ...queue, claimId: crypto.randomUUID() }
      assert.deepStrictEqual(yield* attempts.next(lost, [], 8, at), [])
      assert.isFalse(yield* queues.keep(lost, at))
      yield* succeed(lost)
      assert.deepInclude((yield* readDeliveries(organizationId, endpointId))[0], { status: "PENDING", attempts: 0 })
      yield* queues.release(lost, "PROVEN")
      assert.strictEqual((yield* queueOf(endpointId)).claimId, queue.claimId)
      yield* succeed(queue)
      assert.deepInclude((yield* readDeliveries(organizationId, endpointId))[0], { status: "DELIVERED", attempts: 1 })
    })
  )

  it.effect("is due immediately when something was added during its release", () =>
    Effect.gen(function* () {
      const { add, endpointId, queue, queues, succeed } = yield* claimQueue
      yield* succeed(queue)
      yield* whileHeld(add, [queues.release(queue, "PROVEN")])
      const { claimId, dueAt } = yield* queueOf(endpointId)
      assert.isNull(claimId)
      assert.isAtMost(dueAt?.getTime() ?? Number.NaN, yield* Clock.currentTimeMillis)
    })
  )

  it.effect("loses an empty lane, unless something was added since", () =>
    Effect.gen(function* () {
      const { add, at, attempts, delivery, organizationId, queue } = yield* claimQueue
      const sql = yield* SqlClient.SqlClient
      yield* sql`DELETE FROM webhook_deliveries WHERE organization_id = ${organizationId}`
      const [empty = assert.fail("the lane is not due")] = yield* attempts.next(queue, [], 8, at)
      assert.deepStrictEqual([empty.lane, empty.id, empty.waiting], [delivery.lane, null, 1])
      yield* add
      yield* attempts.removeLane(queue, empty.lane, empty.waiting)
      const [found = assert.fail("the lane is gone")] = yield* attempts.next(queue, [], 8, new Date())
      assert.deepStrictEqual([found.waiting, found.id === null], [2, false])
      yield* attempts.removeLane(queue, found.lane, found.waiting)
      assert.deepStrictEqual(yield* attempts.next(queue, [], 8, new Date()), [])
    })
  )

  it.effect("is due no sooner than its endpoint asked for by 429", () =>
    Effect.gen(function* () {
      const { add, attempts, endpointId, fail, later, organizationId, queue, queues } = yield* claimQueue
      yield* makeEventfulCase(organizationId)
      yield* add
      yield* fail(queue)
      yield* queues.slow(queue, later)
      assert.deepStrictEqual(yield* attempts.next(queue, [], 8, new Date()), [])
      yield* queues.keep(queue, later)
      yield* queues.release(queue, "FAILING")
      assert.deepStrictEqual((yield* queueOf(endpointId)).dueAt, later)
      // Nor is it when something is added.
      yield* add
      assert.deepStrictEqual((yield* queueOf(endpointId)).dueAt, later)
    })
  )

  it.effect("has no delivery of a case with a failed event before its next attempt is due", () =>
    Effect.gen(function* () {
      const { add, attempts, delivery, fail, later, queue } = yield* claimQueue
      yield* fail(queue)
      yield* add
      assert.deepStrictEqual(yield* attempts.next(queue, [], 8, new Date(later.getTime() - 1)), [])
      const [next] = yield* attempts.next(queue, [], 8, later)
      assert.deepInclude(next, { id: delivery.id, waiting: 2, attempts: 1 })
    })
  )

  it.effect("sends a delivery again that is replayed while its success is stored", () =>
    Effect.gen(function* () {
      const { attempts, delivery, endpointId, organizationId, queue, succeed } = yield* claimQueue
      const sendAgain = yield* makeSendAgain
      yield* whileHeld(succeed(queue), [sendAgain(organizationId, [endpointId], [delivery.eventId])])
      const [next] = yield* attempts.next(queue, [], 8, yield* DateTime.nowAsDate)
      assert.deepInclude(next, { id: delivery.id, waiting: 1, attempts: 1, attemptsLeft: 10 })
    })
  )
})
