import type { OrganizationId, WebhookEndpointId } from "@care/domain/ids"
import { layerIdleJobs } from "@care/jobs/testing"
import { until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { makeCase } from "../../../test/storedCases.ts"
import { layerStoredWebhooks, recordEvent, serveEndpoint } from "../../../test/storedWebhooks.ts"
import { WebhookEndpoints } from "../endpoints/WebhookEndpoints.ts"
import { makeWebhookEndpointsRepo } from "../endpoints/WebhookEndpointsRepo.ts"
import { Deliveries } from "./Deliveries.ts"
import { EndpointQueues } from "./EndpointQueues.ts"

const TestLayer = Deliveries.layer.pipe(
  Layer.provide(WebhookEndpoints.layer),
  Layer.provide(layerIdleJobs),
  Layer.provideMerge(layerStoredWebhooks())
)

layer(TestLayer, { excludeTestServices: true })("what a delivery waits for", (it) => {
  const none = { deliveryId: null, eventId: null, until: null }

  const deliveriesTo = Effect.fnUntraced(function* (organizationId: OrganizationId, endpointId: WebhookEndpointId) {
    const { list } = yield* Deliveries
    const { data } = yield* Effect.orDie(list(organizationId, endpointId, { limit: 100 }))
    // Both events may be of one millisecond.
    return data.toSorted((a, b) => b.attempts.length - a.attempts.length)
  })

  /** Sends two events of a case to an endpoint that answers this, and returns its deliveries after the first attempt: the one that was attempted comes first. */
  const attemptTwo = Effect.fnUntraced(function* (status: number, headers: Readonly<Record<string, string>> = {}) {
    const { endpointId, organizationId } = yield* serveEndpoint(
      (_, response) => void response.writeHead(status, headers).end()
    )
    const { id: caseId } = yield* makeCase(organizationId, { isSole: false })
    yield* recordEvent(organizationId, caseId)
    yield* recordEvent(organizationId, caseId)
    const [first, second] = yield* until(
      deliveriesTo(organizationId, endpointId),
      (deliveries) =>
        deliveries.length === 2 &&
        (status < 300
          ? deliveries.every((delivery) => delivery.status === "DELIVERED")
          : (deliveries[0]?.attempts.length ?? 0) > 0 && deliveries.every(({ waitsFor }) => waitsFor !== null))
    )
    if (first === undefined || second === undefined) return assert.fail("two were expected")
    return { organizationId, endpointId, first, second }
  })

  it.effect("the next attempt after a failure, and the later events of the case wait for this one", () =>
    Effect.gen(function* () {
      const { first, second } = yield* attemptTwo(500)
      assert.deepStrictEqual(first.waitsFor, { ...none, reason: "NEXT_ATTEMPT", until: first.nextAttemptAt })
      const earlier = { deliveryId: first.id, eventId: first.eventId }
      assert.deepStrictEqual(second.waitsFor, { ...none, reason: "EARLIER_EVENT", ...earlier })
    })
  )

  it.effect("an endpoint that asks for a pause, as long as it asks", () =>
    Effect.gen(function* () {
      const { first } = yield* attemptTwo(429, { "retry-after": "3600" })
      const end = first.waitsFor?.until ?? assert.fail("it waits for nothing")
      assert.strictEqual(first.waitsFor?.reason, "ENDPOINT_BUSY")
      assert.isAtLeast(end.getTime() - (first.attempts[0]?.at.getTime() ?? 0), 3_600_000)
    })
  )

  it.effect("a disabled endpoint until it is enabled, whatever else the delivery waits for", () =>
    Effect.gen(function* () {
      const { endpointId, organizationId } = yield* attemptTwo(500)
      const endpoints = yield* makeWebhookEndpointsRepo
      const queues = yield* EndpointQueues
      const enable = Effect.fnUntraced(function* (isEnabled: boolean) {
        const updatedAt = yield* DateTime.nowAsDate
        yield* endpoints.update({ organizationId, id: endpointId, isEnabled, updatedAt })
        yield* queues.refresh(organizationId, endpointId)
        return (yield* deliveriesTo(organizationId, endpointId)).map(({ waitsFor }) => waitsFor?.reason)
      })
      assert.deepStrictEqual(yield* enable(false), ["ENDPOINT_DISABLED", "ENDPOINT_DISABLED"])
      assert.deepStrictEqual(yield* enable(true), ["NEXT_ATTEMPT", "EARLIER_EVENT"])
    })
  )

  it.effect("nothing once it has arrived; a delivery is found by its event", () =>
    Effect.gen(function* () {
      const { endpointId, first, organizationId, second } = yield* attemptTwo(204)
      assert.deepStrictEqual([first.waitsFor, second.waitsFor], [null, null])
      const { list } = yield* Deliveries
      const query = { limit: 100, eventId: second.eventId }
      const { data } = yield* Effect.orDie(list(organizationId, endpointId, query))
      assert.deepStrictEqual(data, [second])
    })
  )
})
