import { randomUUID } from "node:crypto"
import { OrganizationId, WebhookEventId } from "@care/domain/ids"
import { OtherDueWork } from "@care/service-kit"
import { countLockWaits, readsOf, until, whileHeld } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layerStoredCases } from "../../../test/storedCases.ts"
import {
  makeEndpoint,
  makeEventfulCase,
  newOrganization,
  readDeliveries,
  recordEvent
} from "../../../test/storedWebhooks.ts"
import { makeCaseNoticesRepo } from "../../case/notices/CaseNoticesRepo.ts"
import { makeDeliveryAttemptsRepo } from "../deliveries/DeliveryAttemptsRepo.ts"
import { type ClaimedQueue, makeDeliveryQueuesRepo } from "../deliveries/DeliveryQueuesRepo.ts"
import { layerDueDeliveries } from "../deliveries/layerDueDeliveries.ts"
import { makeReplaysRepo } from "../deliveries/ReplaysRepo.ts"
import { makeWebhookEndpointsRepo } from "../endpoints/WebhookEndpointsRepo.ts"
import { EventRelay } from "./EventRelay.ts"
import { Events } from "./Events.ts"

const tables = ["case_activity", "own_events", "events", "webhook_deliveries", "delivery_lanes", "delivery_queues"]

const TestLayer = Layer.mergeAll(EventRelay.layer, Events.layer, layerDueDeliveries).pipe(
  Layer.provideMerge(layerStoredCases)
)

layer(TestLayer, { excludeTestServices: true })("the relay of events", (it) => {
  const relayAll = Effect.flatMap(EventRelay, ({ relayNext }) =>
    Effect.repeat(relayNext, { until: (hasMore) => !hasMore })
  )

  it.effect("gives committed entries their positions in order, once, also with parallel relays", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const events = yield* Events
      const endpointId = yield* makeEndpoint(organizationId, "https://shop.example.com/events")
      const cases = yield* Effect.forEach([1, 2, 3], () => makeEventfulCase(organizationId))
      for (let round = 0; round < 60; round += 1) {
        yield* Effect.forEach(cases, (caseId) => recordEvent(organizationId, caseId), { concurrency: "unbounded" })
      }
      yield* Effect.all([relayAll, relayAll, relayAll], { concurrency: "unbounded" })
      yield* relayAll
      for (const caseId of cases) {
        const ofCase = yield* events.after(organizationId, { caseId, limit: 100 })
        const numbers = ofCase.map(({ data }) => Number(data["sequence"]))
        assert.lengthOf(numbers, 61)
        assert.deepStrictEqual(
          numbers,
          [...numbers].sort((a, b) => a - b)
        )
      }
      const all = yield* events.after(organizationId, { limit: 1000 })
      assert.lengthOf(all, 183)
      assert.lengthOf(yield* readDeliveries(organizationId, endpointId), 183)
      const later = yield* events.after(organizationId, { after: WebhookEventId.make(all[100]?.id ?? ""), limit: 1000 })
      assert.deepStrictEqual(
        later.map(({ id }) => id),
        all.slice(101).map(({ id }) => id)
      )
    })
  )

  it.effect("thousands of waiting entries of one organization delay no other's, and stay in order", () =>
    Effect.gen(function* () {
      const [flooding, bystander] = [newOrganization(), newOrganization()]
      const sql = yield* SqlClient.SqlClient
      const { after } = yield* Events
      const { relayNext } = yield* EventRelay
      yield* relayAll
      const caseId = yield* makeEventfulCase(flooding)
      yield* sql`
        INSERT INTO case_activity (organization_id, case_id, sequence, id, type, actor_type, at, details, awaits_event)
        SELECT ${flooding}, ${caseId}, 10 + n, gen_random_uuid(), 'CASE_CLOSED', 'JOB',
               now() - interval '1 hour' + n * interval '1 millisecond', '{}', true
        FROM generate_series(1, 2000) n
      `
      yield* makeEventfulCase(bystander)
      assert.isTrue(yield* relayNext)
      assert.lengthOf(yield* after(bystander, { limit: 10 }), 1)
      yield* relayAll
      const numbers = (yield* after(flooding, { caseId, limit: 3000 })).map(({ data }) => Number(data["sequence"]))
      assert.lengthOf(numbers, 2001)
      assert.deepStrictEqual(
        numbers.slice(0, 2000),
        [...numbers.slice(0, 2000)].sort((a, b) => a - b)
      )
    })
  )

  it.effect("an entry that is updated in parallel is an event once", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const sql = yield* SqlClient.SqlClient
      const { after } = yield* Events
      const { relayNext } = yield* EventRelay
      yield* makeEventfulCase(organizationId)
      const noticeEnds = sql`UPDATE case_activity SET awaits_notice = false WHERE organization_id = ${organizationId}`
      yield* whileHeld(noticeEnds, [relayNext])
      yield* relayAll
      yield* makeEventfulCase(organizationId)
      yield* relayAll
      assert.lengthOf(yield* after(organizationId, { limit: 10 }), 2)
    })
  )

  it.effect("leaves the events of a sandbox whose clock is being moved for later, and does not wait for it", () =>
    Effect.gen(function* () {
      const [moving, other] = [newOrganization(), newOrganization()]
      const sql = yield* SqlClient.SqlClient
      const { after } = yield* Events
      const { relayNext } = yield* EventRelay
      yield* relayAll
      for (const id of [moving, other]) yield* sql`INSERT INTO test_organizations (organization_id) VALUES (${id})`
      const endpointId = yield* makeEndpoint(moving, "https://shop.example.com/events")
      const caseId = yield* makeEventfulCase(moving)
      yield* relayAll
      yield* recordEvent(moving, caseId)
      yield* makeEventfulCase(other)
      const [work = assert.fail()] = yield* OtherDueWork
      const later = sql`UPDATE delivery_lanes SET due_at = now() + interval '1 day' WHERE organization_id = ${moving}`
      const clock = sql`SELECT FROM test_organizations WHERE organization_id = ${moving} FOR NO KEY UPDATE`
      yield* later
      const [, [hasMore]] = yield* whileHeld(Effect.andThen(clock, work.bringForward(moving, 1000)), [relayNext])
      assert.isFalse(hasMore)
      assert.lengthOf(yield* after(other, { limit: 10 }), 1)
      assert.lengthOf(yield* readDeliveries(moving, endpointId), 1)
      yield* relayAll
      assert.lengthOf(yield* readDeliveries(moving, endpointId), 2)
    })
  )

  it.effect("does not deadlock with the notices of the same entries", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const sql = yield* SqlClient.SqlClient
      const { relayNext } = yield* EventRelay
      const { awaiting, endNotice } = yield* makeCaseNoticesRepo
      // Entries of one moment, whose notices have another order than their events.
      const cases = (yield* Effect.forEach([1, 2, 3, 4], () => makeEventfulCase(organizationId))).sort()
      for (const [index, caseId] of cases.toReversed().entries()) {
        yield* sql`
          UPDATE case_activity SET at = '2026-01-01', awaits_notice = true,
            id = overlay(id::text placing ${String(index)} from 1 for 1)::uuid
          WHERE organization_id = ${organizationId} AND case_id = ${caseId} AND awaits_event
        `
      }
      const noticed = yield* awaiting(100)
      assert.deepStrictEqual(
        noticed.map(({ caseId }) => caseId),
        cases.toReversed()
      )
      const relayWaits = until(countLockWaits(), (count) => count > 0)
      const first = sql`SELECT FROM case_activity WHERE case_id = ${cases[0] ?? ""} FOR UPDATE`
      yield* whileHeld(first, [relayNext, Effect.as(Effect.andThen(relayWaits, endNotice(noticed)), false)])
      assert.deepStrictEqual(yield* awaiting(100), [])
      const { after } = yield* Events
      assert.lengthOf(yield* after(organizationId, { limit: 10 }), 4)
    })
  )

  it.effect("an endpoint that is deleted during an addition has no queue", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const sql = yield* SqlClient.SqlClient
      const { relayNext } = yield* EventRelay
      const endpoints = yield* makeWebhookEndpointsRepo
      const queues = yield* makeDeliveryQueuesRepo
      const replays = yield* makeReplaysRepo
      const added = sql`SELECT FROM delivery_queues WHERE organization_id = ${organizationId}`
      const now = yield* DateTime.nowAsDate
      const make = Effect.gen(function* () {
        const id = yield* makeEndpoint(organizationId, "https://shop.example.com/events", { isEnabled: false })
        yield* queues.refresh(organizationId, id, now)
        const remove = Effect.andThen(endpoints.remove(organizationId, id), queues.remove(organizationId, id))
        return { id, remove }
      })
      const first = yield* make
      yield* makeEventfulCase(organizationId)
      assert.lengthOf(yield* added, 1)
      yield* whileHeld(first.remove, [relayNext])
      assert.lengthOf(yield* added, 0)
      const second = yield* make
      yield* whileHeld(second.remove, [replays.makeDue(organizationId, [second.id], now)])
      assert.lengthOf(yield* added, 0)
    })
  )

  it.effect("an event of our own goes to the endpoint that it is for, or to all but one", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const events = yield* Events
      const [first, second] = [
        yield* makeEndpoint(organizationId, "https://a.example.com/", { eventTypes: ["case.closed"] }),
        yield* makeEndpoint(organizationId, "https://b.example.com/")
      ]
      const data = { endpointId: first }
      const test = yield* events.addOwn({ organizationId, type: "ping", data, onlyEndpoint: first })
      yield* events.addOwn({ organizationId, type: "webhook.endpoint.disabled", data, exceptEndpoint: second })
      yield* relayAll
      assert.deepStrictEqual(
        (yield* readDeliveries(organizationId, first)).map(({ eventId }) => eventId),
        [test]
      )
      assert.lengthOf(yield* readDeliveries(organizationId, second), 0)
    })
  )

  it.effect("costs the same however much was relayed and waits, and so do a claim and the next deliveries", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { relayNext } = yield* EventRelay
      const queues = yield* makeDeliveryQueuesRepo
      const attempts = yield* makeDeliveryAttemptsRepo
      const organizationId = newOrganization()
      const endpointId = yield* makeEndpoint(organizationId, "https://shop.example.com/events")
      const measure = Effect.gen(function* () {
        yield* makeEventfulCase(organizationId)
        const relayed = yield* readsOf(tables, relayNext)
        const now = yield* DateTime.nowAsDate
        const until = new Date(now.getTime() + 1000)
        const claim = queues.claim({ counts: { PROVEN: 0, FRESH: 1, FAILING: 0 }, except: [] }, now, until)
        const claimedQueues: Array<ClaimedQueue> = []
        const claimed = yield* readsOf(
          tables,
          Effect.map(claim, (queues) => claimedQueues.push(...queues))
        )
        const [queue] = claimedQueues
        if (queue?.endpointId !== endpointId) return assert.fail("The queue was not claimed")
        const next = yield* readsOf(tables, attempts.next(queue, [], 2, now))
        yield* queues.release(queue, "FRESH")
        return { relayed, claimed, next }
      })
      yield* sql`UPDATE delivery_queues SET due_at = NULL`
      const few = yield* measure
      yield* sql`
        INSERT INTO case_activity (organization_id, case_id, sequence, id, type, actor_type, at, details)
        SELECT organization_id, id, 10 + n, gen_random_uuid(), 'CASE_CLOSED', 'JOB', now(), '{}'
        FROM cases, generate_series(1, 5000) n WHERE organization_id = ${organizationId}
      `
      yield* sql`
        INSERT INTO events (organization_id, id, position, type, is_test, at, data, created_at)
        SELECT ${organizationId}, gen_random_uuid(), nextval('event_positions'), 'case.closed', false, now(), '{}', now()
        FROM generate_series(1, 5000)
      `
      yield* sql`
        INSERT INTO webhook_deliveries (
          organization_id, id, endpoint_id, event_id, event_type, lane, position, status, attempts, attempts_left,
          next_attempt_at, created_at
        )
        SELECT organization_id, gen_random_uuid(), ${endpointId}, id, type, id, position, 'PENDING', 0, 10, now(), now()
        FROM events WHERE organization_id = ${organizationId} AND type = 'case.closed'
      `
      yield* sql`
        INSERT INTO delivery_lanes SELECT organization_id, endpoint_id, lane, 1, now(), now()
        FROM webhook_deliveries WHERE organization_id = ${organizationId} AND event_type = 'case.closed'
      `
      // Thousands of failing endpoints with waiting deliveries, and thousands without.
      yield* sql`
        INSERT INTO delivery_queues (organization_id, endpoint_id, health, is_paused, due_at)
        SELECT ${OrganizationId.make(randomUUID())}, gen_random_uuid(), CASE n % 2 WHEN 0 THEN 'FAILING' ELSE 'FRESH' END, false,
               CASE n % 2 WHEN 0 THEN now() END
        FROM generate_series(1, 10000) n
      `
      const many = yield* measure
      assert.isAtMost(many.relayed, few.relayed + 20)
      assert.isAtMost(many.claimed, few.claimed + 10)
      assert.isAtMost(many.next, few.next + 10)
    })
  )
})
