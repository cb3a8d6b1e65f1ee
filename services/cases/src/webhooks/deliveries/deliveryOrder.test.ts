import { until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Clock, Duration, Effect, Fiber, Layer, Random, Ref } from "effect"
import { SqlClient } from "effect/sql"
import {
  countPending,
  layerLimits,
  layerStoredWebhooks,
  layerWork,
  makeEndpoint,
  makeEventfulCase,
  makeMovedClock,
  newOrganization,
  readDeliveries,
  recordEvent,
  serveReceiver,
  untilArrived
} from "../../../test/storedWebhooks.ts"
import { Replays } from "./Replays.ts"

// Short claims and shorter attempts, so that the claims of a dead process are taken over soon.
const limits = { attempt: Duration.millis(300), claim: Duration.millis(1000) }

layer(layerStoredWebhooks(limits), { excludeTestServices: true })("after failures, crashes and repetitions", (it) => {
  it.effect("each case's events arrive in their order, each at least once", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const sql = yield* SqlClient.SqlClient
      const replays = yield* Replays
      let isCalm = false
      const makeReceiver = serveReceiver(async (_, response) => {
        const dice = isCalm ? 1 : Math.random()
        if (dice < 0.1) return void response.destroy()
        await new Promise((done) => setTimeout(done, dice * 30))
        response.writeHead(dice < 0.5 ? 500 : 204).end()
      })
      const receivers = [yield* makeReceiver, yield* makeReceiver]
      const endpoints = yield* Effect.forEach(receivers, ({ url }) => makeEndpoint(organizationId, url))

      // Another process, which is killed and restarted again and again.
      const mortal = Effect.gen(function* () {
        const lifetime = yield* Random.nextIntBetween(20, 300)
        yield* Effect.never.pipe(
          Effect.provide(layerWork.pipe(Layer.provide(layerLimits(limits)))),
          Effect.timeoutOption(Duration.millis(lifetime))
        )
      }).pipe(Effect.forever)
      // Makes failed deliveries due at once, with enough attempts, and replays delivered ones.
      const turns = yield* Ref.make(0)
      const hurry = Effect.gen(function* () {
        yield* sql`
          UPDATE delivery_lanes SET due_at = now() WHERE organization_id = ${organizationId} AND due_at > now()
        `
        yield* sql`
          UPDATE delivery_queues SET due_at = least(due_at, now())
          WHERE organization_id = ${organizationId} AND due_at > now() AND claim_id IS NULL
        `
        yield* sql`
          UPDATE webhook_deliveries SET next_attempt_at = now(), attempts_left = greatest(attempts_left, 5)
          WHERE organization_id = ${organizationId} AND status = 'PENDING'
        `
        const [endpointId] = endpoints
        if (!isCalm && endpointId !== undefined && (yield* Ref.updateAndGet(turns, (turn) => turn + 1)) % 7 === 0) {
          const sent = (yield* readDeliveries(organizationId, endpointId)).find(({ status }) => status === "DELIVERED")
          if (sent !== undefined) yield* Effect.orDie(replays.delivery({ organizationId, key: undefined }, sent.id))
        }
        yield* Effect.sleep("10 millis")
      }).pipe(Effect.forever)
      const troubles = yield* Effect.forEach([mortal, hurry], (trouble) => Effect.forkScoped(trouble))

      const cases = yield* Effect.forEach([1, 2, 3], () => makeEventfulCase(organizationId))
      for (let round = 0; round < 5; round += 1) {
        yield* Effect.forEach(cases, (caseId) => recordEvent(organizationId, caseId), { concurrency: "unbounded" })
      }
      yield* until(
        Effect.sync(() => receivers.reduce((sum, { received }) => sum + received.length, 0)),
        (count) => count > 60
      )
      isCalm = true
      // The first arrival of each event; later ones are repetitions.
      const orders = () =>
        receivers.flatMap(({ accepted }) =>
          cases.map((id) => [
            ...new Set(accepted.filter(({ caseId }) => caseId === id).map(({ sequence }) => sequence))
          ])
        )
      // An event that nobody has relayed yet has no delivery that could be pending.
      yield* until(Effect.sync(orders), (accepted) => accepted.every(({ length }) => length === 6))
      yield* until(countPending(organizationId), (count) => count === 0)
      yield* Fiber.interruptAll(troubles)

      for (const order of orders()) {
        assert.deepStrictEqual(
          order,
          [...order].sort((a, b) => a - b)
        )
      }
    })
  )
})

const { clock, pass } = makeMovedClock()
const MovedLayer = layerStoredWebhooks().pipe(Layer.provideMerge(Layer.succeed(Clock.Clock, clock)))

layer(MovedLayer, { excludeTestServices: true })("of two processes", (it) => {
  it.effect("one sends, and never two events of a case at a time", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      let overlaps = 0
      const underWay = new Set<string>()
      const { accepted, url } = yield* serveReceiver(async ({ caseId = "" }, response) => {
        if (underWay.has(caseId)) overlaps += 1
        underWay.add(caseId)
        // The claim is renewed again and again.
        Effect.runSync(pass("1 second"))
        await new Promise((done) => setTimeout(done, 5))
        underWay.delete(caseId)
        response.writeHead(204).end()
      })
      yield* makeEndpoint(organizationId, url)
      const sendEvents = Effect.gen(function* () {
        const cases = yield* Effect.forEach([1, 2, 3, 4], () => makeEventfulCase(organizationId))
        for (let round = 0; round < 9; round += 1) {
          yield* Effect.forEach(cases, (caseId) => recordEvent(organizationId, caseId), { concurrency: "unbounded" })
        }
        yield* untilArrived(accepted, 40)
      })
      yield* Effect.provide(sendEvents, layerWork.pipe(Layer.provide(layerLimits())))
      assert.strictEqual(overlaps, 0)
      assert.lengthOf(accepted, 40)
    })
  )
})
