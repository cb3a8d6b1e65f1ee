import { EscalationId, WebhookEndpointId } from "@care/domain/ids"
import { layerIdleJobs } from "@care/jobs/testing"
import { Once } from "@care/once"
import { Egress } from "@care/service-kit"
import { countLockWaits, layerTestConfig, until } from "@care/service-kit/testing"
import type { Outcome } from "@care/webhooks"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Logger, Option } from "effect"
import { SqlClient } from "effect/sql"
import { layerStoredCases, makeCase } from "../../../test/storedCases.ts"
import {
  layerLimits,
  layerStoredWebhooks,
  makeEndpoint,
  makeEventfulCase,
  newOrganization,
  readDeliveries,
  recordEvent,
  serveEndpoint,
  serveReceiver,
  untilArrived
} from "../../../test/storedWebhooks.ts"
import { Cases } from "../../case/lifecycle/Cases.ts"
import { PartnerEndpoints } from "../endpoints/PartnerEndpoints.ts"
import { WebhookEndpoints } from "../endpoints/WebhookEndpoints.ts"
import { EventRelay } from "../events/EventRelay.ts"
import { DeliveryWakeUp } from "./DeliveryWakeUp.ts"
import { EndpointQueues } from "./EndpointQueues.ts"
import { layerDispatch } from "./layerDispatch.ts"
import { makeAcceptOrganization } from "./makeAcceptOrganization.ts"
import { Replays } from "./Replays.ts"

// Errors of the background work fail no request: they are logged, and the work is tried again.
const lines: Array<string> = []
const layerLines = Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])

const TestLayer = Layer.mergeAll(DeliveryWakeUp.layer, PartnerEndpoints.layer, WebhookEndpoints.layer).pipe(
  Layer.provide([Egress.layer, Once.layer]),
  Layer.provide([layerIdleJobs, layerTestConfig({ name: "cases" })]),
  Layer.provideMerge(layerStoredWebhooks()),
  Layer.provideMerge(layerLines)
)

layer(TestLayer, { excludeTestServices: true })("locks of endpoints, lanes and queues", (it) => {
  const waiting = (count: number) => until(countLockWaits(), (waits) => waits >= count)
  const troubles = () => lines.filter((line) => line.includes("later") || line.includes("not stored"))

  it.effect("a replay to two endpoints does not deadlock with new events", () =>
    Effect.gen(function* () {
      const cases = yield* Cases
      const replays = yield* Replays
      const sql = yield* SqlClient.SqlClient
      const organizationId = newOrganization()
      const [one, two] = [yield* serveReceiver(), yield* serveReceiver()]
      const ids = [WebhookEndpointId.make(crypto.randomUUID()), WebhookEndpointId.make(crypto.randomUUID())].sort()
      const [first = assert.fail(), second = assert.fail()] = ids
      yield* makeEndpoint(organizationId, one.url, { id: first, eventTypes: ["case.escalation.added"] })
      yield* makeEndpoint(organizationId, two.url, { id: second })
      const escalate = (caseId: Effect.Success<ReturnType<typeof makeEventfulCase>>) =>
        Effect.orDie(
          cases.record(organizationId, caseId, {
            type: "ESCALATION_ADDED",
            details: { escalationId: EscalationId.make(crypto.randomUUID()), type: "support" }
          })
        )
      const { id: caseId } = yield* makeCase(organizationId, { isSole: false })
      const { id: otherCase } = yield* makeCase(organizationId, { isSole: false })
      yield* escalate(caseId)
      yield* untilArrived(one.accepted, 1)
      yield* untilArrived(two.accepted, 1)
      const isDelivered = ({ status }: { readonly status: string }) => status === "DELIVERED"
      yield* until(readDeliveries(organizationId, second), (all) => all.length === 1 && all.every(isDelivered))
      const [{ eventId } = assert.fail()] = yield* readDeliveries(organizationId, first)

      // Both wait for the lane of the second endpoint, first the relay, then the replay, which also need each other's locks.
      const [begun, released] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const held = Effect.andThen(
        sql`SELECT lane FROM delivery_lanes WHERE endpoint_id = ${second} AND lane = ${caseId} FOR UPDATE`,
        Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(released))
      )
      const holder = yield* Effect.forkChild(sql.withTransaction(held))
      yield* Deferred.await(begun)
      yield* sql.withTransaction(Effect.andThen(recordEvent(organizationId, caseId), escalate(otherCase)))
      yield* waiting(1)
      const again = yield* Effect.forkChild(replays.event({ organizationId, key: undefined }, eventId, undefined))
      yield* waiting(2)
      yield* Deferred.succeed(released, undefined)
      yield* Fiber.join(holder)
      assert.lengthOf(yield* Fiber.join(again), 2)
      yield* untilArrived(one.accepted, 3)
      yield* untilArrived(two.accepted, 4)
      assert.deepStrictEqual(troubles(), [])
    })
  )

  it.effect("parallel changes, outcomes and deletions of endpoints do not deadlock", () =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      const partner = yield* PartnerEndpoints
      const organizationId = newOrganization()
      const ends = { status: 429 }
      const accept = yield* makeAcceptOrganization
      let version = 0
      const hold = Effect.suspend(() => {
        version += 1
        return accept({ organizationId, version, isDisabled: version % 2 === 1 })
      })
      const { received, accepted, url } = yield* serveReceiver(
        (_, response) => void response.writeHead(ends.status).end()
      )
      const at = new Date()
      const note = Effect.fnUntraced(function* (id: WebhookEndpointId, outcome: Outcome) {
        const changedAt = Option.match(yield* endpoints.signing(organizationId, id), {
          onNone: () => at,
          onSome: (signing) => signing.changedAt
        })
        return yield* endpoints.outcome(organizationId, id, { outcome, at, changedAt })
      })
      for (let round = 0; round < 8; round += 1) {
        const ids = yield* Effect.all([makeEndpoint(organizationId, url), makeEndpoint(organizationId, url)])
        const before = received.length
        const caseId = yield* makeEventfulCase(organizationId)
        yield* untilArrived(received, before + 1)
        const ofEach = ids.flatMap((id) => [
          partner.change(organizationId, id, { enabled: false }),
          partner.change(organizationId, id, { enabled: true }),
          note(id, "FAILED"),
          partner.change(organizationId, id, { url: `${url}?${round}` }),
          note(id, "GONE"),
          note(id, "DELIVERED"),
          partner.change(organizationId, id, { enabled: true }),
          hold,
          recordEvent(organizationId, caseId)
        ])
        yield* Effect.all(ofEach, { concurrency: "unbounded" })
        const [kept, removed] = ids
        yield* Effect.all(
          [
            partner.remove(organizationId, removed),
            note(removed, "GONE"),
            partner.change(organizationId, kept, { enabled: true }),
            recordEvent(organizationId, caseId)
          ],
          { concurrency: "unbounded" }
        )
        assert.isTrue(Option.isNone(yield* endpoints.signing(organizationId, removed)))
        yield* partner.remove(organizationId, kept)
      }
      // An endpoint whose last change enables it is sent to.
      ends.status = 204
      const last = yield* makeEndpoint(organizationId, url)
      yield* Effect.all(
        Array.from({ length: 10 }, () => [
          partner.change(organizationId, last, { enabled: false }),
          makeEventfulCase(organizationId),
          partner.change(organizationId, last, { enabled: true })
        ]).flat(),
        { concurrency: "unbounded", discard: true }
      )
      yield* partner.change(organizationId, last, { enabled: true })
      const delivered = accepted.length
      yield* makeEventfulCase(organizationId)
      yield* untilArrived(accepted, delivered + 1)
      yield* until(
        readDeliveries(organizationId, last),
        (all) => all.length > 10 && all.every(({ status }) => status === "DELIVERED")
      )
      assert.deepStrictEqual(troubles(), [])
    })
  )

  it.effect("pausing a deleted endpoint stores nothing", () =>
    Effect.gen(function* () {
      const queues = yield* EndpointQueues
      const partner = yield* PartnerEndpoints
      const sql = yield* SqlClient.SqlClient
      const organizationId = newOrganization()
      const id = yield* makeEndpoint(organizationId, "http://127.0.0.1:9", { isEnabled: false })
      const stored = sql`SELECT FROM delivery_queues WHERE organization_id = ${organizationId}`
      yield* queues.refresh(organizationId, id)
      assert.lengthOf(yield* stored, 1)
      yield* partner.remove(organizationId, id)
      yield* queues.refresh(organizationId, id)
      assert.lengthOf(yield* stored, 0)
    })
  )
})

// Disables an endpoint just before it is sent to, and enables it again once the dispatcher has read that.
const layerChanging = Layer.effect(
  WebhookEndpoints,
  Effect.gen(function* () {
    const { outcome, signing } = yield* WebhookEndpoints
    const { change } = yield* PartnerEndpoints
    let isChanged = false
    return WebhookEndpoints.of({
      outcome,
      signing: Effect.fnUntraced(function* (organizationId, id) {
        if (isChanged) return yield* signing(organizationId, id)
        isChanged = true
        yield* Effect.orDie(change(organizationId, id, { enabled: false }))
        const seen = yield* signing(organizationId, id)
        yield* Effect.orDie(change(organizationId, id, { enabled: true }))
        return seen
      })
    })
  })
).pipe(Layer.provide([WebhookEndpoints.layer, PartnerEndpoints.layer]))

const ChangingLayer = Layer.merge(layerDispatch.pipe(Layer.provide(layerChanging)), EventRelay.layer).pipe(
  Layer.provide([EndpointQueues.layer, Egress.layer, Once.layer]),
  Layer.provide([layerIdleJobs, layerTestConfig({ name: "cases" })]),
  Layer.provide(layerLimits()),
  Layer.provideMerge(layerStoredCases)
)

layer(ChangingLayer, { excludeTestServices: true })("an endpoint that was disabled for a moment", (it) => {
  it.effect("gets its waiting deliveries, also when the dispatcher saw it disabled", () =>
    Effect.gen(function* () {
      const { organizationId, accepted } = yield* serveEndpoint()
      yield* makeEventfulCase(organizationId)
      yield* (yield* EventRelay).relayNext
      yield* untilArrived(accepted, 1)
    })
  )
})
