import { until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import {
  happen,
  layerStoredWebhooks,
  makeEndpoint,
  makeEventfulCase,
  newOrganization,
  readDeliveries,
  serveReceiver
} from "../../../test/storedWebhooks.ts"

layer(layerStoredWebhooks, { excludeTestServices: true })("deliveries", (it) => {
  const arrived = (events: ReadonlyArray<unknown>, count: number) =>
    until(
      Effect.sync(() => events.length),
      (length) => length >= count
    )

  it.effect("an event arrives signed, with the case's number, and nothing else", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const { received, taken, url } = yield* serveReceiver()
      const endpointId = yield* makeEndpoint(organizationId, url)
      const caseId = yield* makeEventfulCase(organizationId)
      yield* arrived(taken, 1)
      const [event] = received
      assert.deepInclude(event, { type: "case.escalation.completed", caseId, sequence: 1 })
      const stored = yield* until(
        readDeliveries(organizationId, endpointId),
        ([first]) => first?.status === "DELIVERED"
      )
      assert.deepInclude(stored[0], { status: "DELIVERED", attempts: 1, eventId: event?.id, nextAttemptAt: null })
      yield* happen(organizationId, caseId)
      yield* arrived(taken, 2)
      assert.strictEqual(received[1]?.sequence, 2)
    })
  )
})
