import type { ServerResponse } from "node:http"
import { WebhookEventId } from "@care/domain/ids"
import { newest, oldest } from "@care/service-kit"
import { until, whileHeld } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import {
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
import { Events } from "../events/Events.ts"
import { EndpointQueues } from "./EndpointQueues.ts"
import { Replays } from "./Replays.ts"
import { makeReplaysRepo } from "./ReplaysRepo.ts"

const TestLayer = Layer.provideMerge(Events.layer, layerStoredWebhooks())

layer(TestLayer, { excludeTestServices: true })("replays", (it) => {
  const missing = Effect.fnUntraced(function* (
    organizationId: ReturnType<typeof newOrganization>,
    endpointId: Effect.Success<ReturnType<typeof makeEndpoint>>
  ) {
    const repo = yield* makeReplaysRepo
    const range = { since: oldest.createdAt, until: newest.createdAt, after: oldest }
    const examined = yield* repo.missing({ organizationId, endpointId, ...range }, 100)
    return examined.flatMap(({ eventId, isChosen }) => (isChosen ? [eventId] : []))
  })

  it.effect("an event of no case is replayed only to the endpoints that it was for", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const events = yield* Events
      const { event } = yield* Replays
      const [tested, other] = [yield* serveReceiver(), yield* serveReceiver()]
      const endpointId = yield* makeEndpoint(organizationId, tested.url, { eventTypes: ["case.closed"] })
      const otherId = yield* makeEndpoint(organizationId, other.url)
      const id = yield* events.addOwn({
        organizationId,
        type: "ping",
        data: { endpointId },
        onlyEndpoint: endpointId
      })
      yield* untilArrived(tested.accepted, 1)
      // A replay during the attempt would send it only once.
      yield* until(readDeliveries(organizationId, endpointId), ([delivery]) => delivery?.status === "DELIVERED")
      const queued = yield* Effect.orDie(event({ organizationId, key: undefined }, id, undefined))
      assert.deepStrictEqual(
        queued.map((delivery) => delivery.endpointId),
        [endpointId]
      )
      yield* untilArrived(tested.accepted, 2)
      assert.deepStrictEqual(yield* missing(organizationId, otherId), [])
      assert.deepStrictEqual(yield* readDeliveries(organizationId, otherId), [])
      // A named endpoint gets it, whatever types it wants.
      yield* Effect.orDie(event({ organizationId, key: undefined }, id, otherId))
      yield* untilArrived(other.accepted, 1)
    })
  )

  it.effect("an event of more than 30 days ago is not replayed, although its month may still store it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { event } = yield* Replays
      const { accepted, endpointId, organizationId } = yield* serveEndpoint()
      yield* makeEventfulCase(organizationId)
      yield* untilArrived(accepted, 1)
      const [sent = assert.fail("nothing was sent")] = accepted
      const replay = event({ organizationId, key: undefined }, WebhookEventId.make(sent.id), endpointId)
      assert.lengthOf(yield* replay, 1)
      yield* sql`UPDATE events SET created_at = now() - interval '30 days 1 minute' WHERE organization_id = ${organizationId}`
      assert.deepInclude(yield* Effect.flip(replay), { _tag: "WebhookEventNotFound" })
    })
  )

  it.effect("missing events are those that an endpoint wants now and did not get, also from before its creation", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const sql = yield* SqlClient.SqlClient
      const first = yield* serveReceiver()
      yield* makeEndpoint(organizationId, first.url)
      const caseId = yield* makeEventfulCase(organizationId)
      yield* untilArrived(first.accepted, 1)
      const failing = yield* serveReceiver((_, response) => void response.writeHead(500).end())
      const endpointId = yield* makeEndpoint(organizationId, failing.url)
      yield* recordEvent(organizationId, caseId)
      yield* until(readDeliveries(organizationId, endpointId), ([delivery]) => (delivery?.attempts ?? 0) > 0)
      yield* untilArrived(first.accepted, 2)
      const both = first.accepted.map(({ id }) => WebhookEventId.make(id))
      assert.deepStrictEqual(yield* missing(organizationId, endpointId), both)
      yield* sql`UPDATE webhook_deliveries SET status = 'DELIVERED', next_attempt_at = NULL WHERE endpoint_id = ${endpointId}`
      assert.deepStrictEqual(yield* missing(organizationId, endpointId), both.slice(0, 1))
      yield* sql`
        UPDATE webhook_deliveries SET status = 'FAILED' WHERE endpoint_id = ${endpointId}
      `
      assert.deepStrictEqual(yield* missing(organizationId, endpointId), both)
      yield* sql`UPDATE webhook_endpoints SET event_types = '{case.closed}' WHERE id = ${endpointId}`
      assert.deepStrictEqual(yield* missing(organizationId, endpointId), [])
    })
  )

  it.effect(
    "a failed delivery keeps its next attempt when its endpoint is enabled again, and is due immediately when replayed",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { event } = yield* Replays
        let isRepaired = false
        const { endpointId, organizationId, received, accepted } = yield* serveEndpoint(
          (_, response) => void response.writeHead(isRepaired ? 204 : 500).end()
        )
        const first = yield* makeEventfulCase(organizationId)
        yield* until(readDeliveries(organizationId, endpointId), ([delivery]) => delivery?.attempts === 1)
        yield* sql`UPDATE delivery_lanes SET due_at = now() + interval '1 hour' WHERE organization_id = ${organizationId}`
        isRepaired = true
        yield* (yield* EndpointQueues).refresh(organizationId, endpointId)
        yield* makeEventfulCase(organizationId)
        yield* untilArrived(accepted, 1)
        assert.strictEqual(received.filter(({ caseId }) => caseId === first).length, 1)
        const missed = yield* missing(organizationId, endpointId)
        for (const id of missed) yield* Effect.orDie(event({ organizationId, key: undefined }, id, endpointId))
        yield* until(
          Effect.sync(() => accepted),
          (all) => all.some(({ caseId }) => caseId === first)
        )
      })
  )

  it.effect("one of four parallel replays to an endpoint starts, and the others are refused", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const sql = yield* SqlClient.SqlClient
      const { all, missing } = yield* Replays
      const requester = { organizationId, key: undefined }
      const endpointId = yield* makeEndpoint(organizationId, "https://shop.example.com/")
      const other = yield* makeEndpoint(organizationId, "https://shop.example.com/")
      const since = oldest.createdAt
      const tagOf = Effect.match({
        onFailure: ({ _tag }: { readonly _tag: string }) => _tag,
        onSuccess: () => "queued"
      })
      const replay = tagOf(all(requester, endpointId, { since }))
      const answers = yield* whileHeld(replay, [replay, tagOf(missing(requester, endpointId, since)), replay])
      const underWay = "WebhookReplayUnderWay"
      assert.deepStrictEqual(answers, ["queued", [underWay, underWay, underWay]])
      assert.strictEqual(yield* replay, underWay)
      assert.strictEqual(yield* tagOf(all(requester, other, { since })), "queued")
      assert.lengthOf(yield* sql`SELECT FROM jobs WHERE organization_id = ${organizationId}`, 2)
    })
  )

  it.effect("a delivery keeps its next attempt, whatever other delivery of its case is replayed", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const sql = yield* SqlClient.SqlClient
      const replays = yield* Replays
      const seen = new Set<string>()
      const { received, accepted, url } = yield* serveReceiver(({ id }, response) => {
        const isSecond = [...seen.add(id)][1] === id
        response.writeHead(isSecond ? 500 : 204).end()
      })
      const endpointId = yield* makeEndpoint(organizationId, url)
      const caseId = yield* makeEventfulCase(organizationId)
      yield* untilArrived(accepted, 1)
      yield* recordEvent(organizationId, caseId)
      yield* recordEvent(organizationId, caseId)
      const deliveries = readDeliveries(organizationId, endpointId)
      yield* until(deliveries, ({ length, [1]: waiting }) => length === 3 && waiting?.attempts === 1)
      const attempted = Effect.map(deliveries, (all) => all.map(({ attempts }) => attempts))
      const isPostponed = sql`
        SELECT FROM delivery_lanes lane
        JOIN webhook_deliveries delivery ON delivery.lane = lane.lane AND delivery.next_attempt_at = lane.due_at
        WHERE lane.organization_id = ${organizationId} AND delivery.attempts = 1 AND delivery.status = 'PENDING'
      `
      const [before, waiting, behind] = yield* deliveries
      assert.isDefined(before)
      assert.isDefined(waiting)
      assert.isDefined(behind)
      yield* Effect.orDie(replays.delivery({ organizationId, key: undefined }, before.id))
      yield* untilArrived(accepted, 2)
      yield* until(isPostponed, ({ length }) => length === 1)
      yield* Effect.orDie(replays.delivery({ organizationId, key: undefined }, behind.id))
      yield* until(isPostponed, ({ length }) => length === 1)
      assert.deepStrictEqual(yield* attempted, [2, 1, 0])
      assert.lengthOf(received, 3)
      // Its own replay makes it due at once.
      yield* Effect.orDie(replays.delivery({ organizationId, key: undefined }, waiting.id))
      yield* until(attempted, ([, attempts]) => attempts === 2)
      assert.lengthOf(accepted, 2)
    })
  )

  it.effect("the pause after a 429 ends when the endpoint is enabled or gets another URL", () =>
    Effect.gen(function* () {
      let isBusy = true
      const { endpointId, organizationId, received, accepted } = yield* serveEndpoint(
        (_, response) => void response.writeHead(isBusy ? 429 : 204, { "retry-after": "3600" }).end()
      )
      yield* makeEventfulCase(organizationId)
      yield* until(readDeliveries(organizationId, endpointId), ([delivery]) => delivery?.attempts === 1)
      isBusy = false
      const second = yield* makeEventfulCase(organizationId)
      yield* until(readDeliveries(organizationId, endpointId), ({ length }) => length === 2)
      const sql = yield* SqlClient.SqlClient
      const isReleased = sql`
        SELECT FROM delivery_queues WHERE endpoint_id = ${endpointId} AND claim_id IS NULL AND due_at > now() + interval '50 minutes'
      `
      yield* until(isReleased, (rows) => rows.length === 1)
      assert.lengthOf(received, 1)
      yield* (yield* EndpointQueues).refresh(organizationId, endpointId)
      yield* untilArrived(accepted, 1)
      assert.strictEqual(accepted[0]?.caseId, second)
    })
  )
})

// Held responses do not time out.
const patient = { attempt: Duration.minutes(5), claim: Duration.minutes(20) }

layer(layerStoredWebhooks(patient), { excludeTestServices: true })("a delivery whose time has not come", (it) => {
  it.effect("leaves its slot to a due one, during another attempt", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const sql = yield* SqlClient.SqlClient
      const replays = yield* Replays
      const held: Array<ServerResponse> = []
      const { received, accepted, url } = yield* serveReceiver(({ caseId }, response) => {
        if (caseId === received[0]?.caseId) response.writeHead(500).end()
        else if (caseId === received[1]?.caseId) held.push(response)
        else response.writeHead(204).end()
      })
      const endpointId = yield* makeEndpoint(organizationId, url)
      const deliveries = readDeliveries(organizationId, endpointId)
      const failing = yield* makeEventfulCase(organizationId)
      const isReleased = sql`SELECT FROM delivery_queues WHERE endpoint_id = ${endpointId} AND health = 'FAILING' AND claim_id IS NULL`
      yield* until(isReleased, ({ length }) => length === 1)
      const turn = (isPaused: boolean) =>
        sql`UPDATE delivery_queues SET is_paused = ${isPaused}, due_at = now() WHERE endpoint_id = ${endpointId}`
      yield* turn(true)
      yield* recordEvent(organizationId, failing)
      const [, behind] = yield* until(deliveries, ({ length }) => length === 2)
      assert.isDefined(behind)
      yield* Effect.orDie(replays.delivery({ organizationId, key: undefined }, behind.id))
      for (const more of [3, 4]) {
        yield* makeEventfulCase(organizationId)
        yield* until(deliveries, ({ length }) => length === more)
      }
      yield* turn(false)
      yield* untilArrived(accepted, 1)
      assert.lengthOf(held, 1)
      for (const response of held) response.writeHead(204).end()
    })
  )
})
