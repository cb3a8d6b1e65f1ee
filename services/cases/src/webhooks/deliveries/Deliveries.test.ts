import type { ServerResponse } from "node:http"
import type { WebhookDeliveryId } from "@care/domain/ids"
import { makePatientKeys } from "@care/phi"
import { until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Clock, DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Webhook } from "standardwebhooks"
import { makeCase } from "../../../test/storedCases.ts"
import {
  layerStoredWebhooks,
  makeEndpoint,
  makeEventfulCase,
  makeMovedClock,
  newOrganization,
  readDeliveries,
  recordEvent,
  secret,
  serveEndpoint,
  serveReceiver,
  untilArrived,
  untilFirst
} from "../../../test/storedWebhooks.ts"
import { makeDeliveriesRepo } from "./DeliveriesRepo.ts"
import { EndpointQueues } from "./EndpointQueues.ts"

const { clock, pass } = makeMovedClock()
const TestLayer = layerStoredWebhooks().pipe(Layer.provideMerge(Layer.succeed(Clock.Clock, clock)))

const answering =
  (status: number, headers: Readonly<Record<string, string>> = {}) =>
  (_: unknown, response: ServerResponse) =>
    void response.writeHead(status, headers).end()

const attempted =
  (times: number) =>
  ({ attempts }: { readonly attempts: number }) =>
    attempts >= times

layer(TestLayer, { excludeTestServices: true })("deliveries", (it) => {
  const isDone = ({ status }: { readonly status: string }) => status !== "PENDING"
  const waitOf = Effect.fnUntraced(function* ({ nextAttemptAt }: { readonly nextAttemptAt: Date | null }) {
    return ((nextAttemptAt?.getTime() ?? Number.NaN) - (yield* Clock.currentTimeMillis)) / 1000
  })

  it.effect("an event arrives signed, with its case and the number of its entry, and so does the next", () =>
    Effect.gen(function* () {
      const { endpointId, organizationId, received, accepted } = yield* serveEndpoint()
      const caseId = yield* makeEventfulCase(organizationId)
      yield* untilArrived(accepted, 1)
      const [event] = received
      const { data, type } = JSON.parse(event?.body ?? "")
      assert.strictEqual(type, "case.escalation.completed")
      assert.sameMembers(Object.keys(data), ["caseId", "sequence", "escalationId"])
      const stored = yield* untilFirst(organizationId, endpointId, isDone)
      assert.deepInclude(stored, { status: "DELIVERED", attempts: 1, nextAttemptAt: null })
      assert.strictEqual(stored.eventId, event?.id)
      yield* recordEvent(organizationId, caseId)
      yield* untilArrived(accepted, 2)
      assert.strictEqual(received[1]?.sequence, (event?.sequence ?? 0) + 1)
    })
  )

  it.effect("each endpoint gets the types that it wants, and test cases when it asks for them", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const all = yield* serveReceiver()
      const tests = yield* serveReceiver()
      const others = yield* serveReceiver()
      yield* makeEndpoint(organizationId, all.url, { eventTypes: ["case.escalation.completed"] })
      yield* makeEndpoint(organizationId, tests.url, { includesTestCases: true })
      yield* makeEndpoint(organizationId, others.url, { eventTypes: ["case.closed"], includesTestCases: true })
      const { id: testCase } = yield* makeCase(organizationId, { isTest: true, isSole: false })
      yield* recordEvent(organizationId, testCase)
      yield* makeEventfulCase(organizationId)
      yield* untilArrived(tests.accepted, 2)
      yield* untilArrived(all.accepted, 1)
      assert.lengthOf(all.received, 1)
      assert.notStrictEqual(all.received[0]?.caseId, testCase)
      assert.lengthOf(others.received, 0)
    })
  )

  it.effect("a failed event delays the later events of its case, and of no other case", () =>
    Effect.gen(function* () {
      let isRepaired = false
      const blocked: Array<string> = []
      const { endpointId, organizationId, received, accepted } = yield* serveEndpoint(({ caseId = "" }, response) =>
        answering(blocked.includes(caseId) && !isRepaired ? 500 : 204)(null, response)
      )
      const first = yield* makeCase(organizationId, { isSole: false })
      blocked.push(first.id)
      yield* recordEvent(organizationId, first.id)
      yield* recordEvent(organizationId, first.id)
      yield* untilFirst(organizationId, endpointId, attempted(1))
      const second = yield* makeEventfulCase(organizationId, 3)
      yield* untilArrived(accepted, 3)
      assert.isTrue(accepted.every(({ caseId }) => caseId === second))
      isRepaired = true
      yield* pass("6 seconds")
      yield* untilArrived(accepted, 5)
      const ofFirst = accepted.filter(({ caseId }) => caseId === first.id)
      assert.isTrue((ofFirst[0]?.sequence ?? 0) < (ofFirst[1]?.sequence ?? 0))
      // The first attempt and the one that succeeded have the same id and body.
      const sent = received.filter(({ caseId }) => caseId === first.id)
      assert.strictEqual(sent.length, 3)
      assert.deepStrictEqual([sent[1]?.id, sent[1]?.body], [sent[0]?.id, sent[0]?.body])
    })
  )

  it.effect("an event has ten attempts in about three days, and then the next of its case is sent", () =>
    Effect.gen(function* () {
      let isRepaired = false
      const { endpointId, organizationId, received, accepted } = yield* serveEndpoint((_, response) =>
        answering(isRepaired ? 204 : 500)(null, response)
      )
      yield* makeEventfulCase(organizationId, 2)
      const waits: Array<number> = []
      for (let attempt = 1; attempt < 10; attempt += 1) {
        const wait = yield* waitOf(yield* untilFirst(organizationId, endpointId, attempted(attempt)))
        waits.push(wait)
        yield* pass(`${wait * 1000 + 1000} millis`)
      }
      // Each wait is `retryDelay`'s.
      const hours = waits.reduce((sum, wait) => sum + wait, 0) / 3600
      assert.isAtLeast(hours, 75)
      assert.isAtMost(hours, 76 * 1.2)
      const failed = yield* untilFirst(organizationId, endpointId, isDone)
      assert.deepInclude(failed, { status: "FAILED", attempts: 10, attemptsLeft: 0, nextAttemptAt: null })
      yield* until(readDeliveries(organizationId, endpointId), ([, next]) => next?.attempts === 1)
      assert.strictEqual(new Set(received.slice(0, 10).map(({ id }) => id)).size, 1)
      isRepaired = true
      yield* pass("6 seconds")
      yield* untilArrived(accepted, 1)
      assert.notStrictEqual(accepted[0]?.id, received[0]?.id)
    })
  )

  it.effect("429 delays all cases of an endpoint", () =>
    Effect.gen(function* () {
      let isBusy = true
      const { endpointId, organizationId, received, accepted } = yield* serveEndpoint((_, response) =>
        answering(isBusy ? 429 : 204, isBusy ? { "retry-after": "600" } : {})(null, response)
      )
      yield* makeEventfulCase(organizationId)
      yield* untilFirst(organizationId, endpointId, attempted(1))
      isBusy = false
      yield* makeEventfulCase(organizationId)
      yield* pass("5 minutes")
      // Another organization's event is delivered meanwhile.
      const other = newOrganization()
      const others = yield* serveReceiver()
      yield* makeEndpoint(other, others.url)
      yield* makeEventfulCase(other)
      yield* untilArrived(others.accepted, 1)
      assert.lengthOf(received, 1)
      yield* pass("6 minutes")
      yield* untilArrived(accepted, 2)
    })
  )

  it.effect("a redirect is a failure, and is not followed; Retry-After delays the next attempt", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const target = yield* serveReceiver()
      const { url } = yield* serveReceiver(answering(307, { location: target.url, "retry-after": "3600" }))
      const endpointId = yield* makeEndpoint(organizationId, url)
      yield* makeEventfulCase(organizationId)
      const stored = yield* untilFirst(organizationId, endpointId, attempted(1))
      assert.deepInclude(stored, { status: "PENDING", attemptsLeft: 9 })
      assert.approximately(yield* waitOf(stored), 3600, 5)
      assert.lengthOf(target.received, 0)
    })
  )

  it.effect("410 disables the endpoint; enabled again, deliveries resume where they stopped", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      let isGone = true
      const { endpointId, organizationId, received, accepted } = yield* serveEndpoint((_, response) =>
        answering(isGone ? 410 : 204)(null, response)
      )
      const other = yield* serveReceiver()
      yield* makeEndpoint(organizationId, other.url)
      const caseId = yield* makeEventfulCase(organizationId)
      yield* untilFirst(organizationId, endpointId, attempted(1))
      isGone = false
      yield* recordEvent(organizationId, caseId)
      yield* pass("1 hour")
      yield* untilArrived(other.accepted, 2)
      assert.lengthOf(received, 1)
      yield* sql`UPDATE webhook_endpoints SET is_enabled = true WHERE id = ${endpointId}`
      yield* (yield* EndpointQueues).refresh(organizationId, endpointId)
      yield* untilArrived(accepted, 2)
      assert.isTrue((accepted[0]?.sequence ?? 0) < (accepted[1]?.sequence ?? 0))
    })
  )

  it.effect("the first 1 kB of an answer is stored, sealed", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const sql = yield* SqlClient.SqlClient
      const endless = yield* serveReceiver((_, response) => {
        response.writeHead(200)
        const writing = setInterval(() => response.write("secret word "), 1)
        response.on("close", () => clearInterval(writing))
      })
      const endpointId = yield* makeEndpoint(organizationId, endless.url)
      yield* makeEventfulCase(organizationId)
      assert.deepInclude(yield* untilFirst(organizationId, endpointId, attempted(1)), { status: "DELIVERED" })
      const [row] = yield* sql<{ answer: string | null }>`
        SELECT answer FROM webhook_attempts WHERE organization_id = ${organizationId}
      `
      assert.notInclude(row?.answer, "secret word")
      assert.isBelow(row?.answer?.length ?? 0, 2000)
    })
  )

  it.effect("an answer about a patient who is erased meanwhile does not open, and others do", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const keys = yield* makePatientKeys
      const sql = yield* SqlClient.SqlClient
      const repo = yield* makeDeliveriesRepo
      const [erased, other] = [yield* makeCase(organizationId), yield* makeCase(organizationId)]
      for (const { userId } of [erased, other]) yield* keys.of(organizationId, userId)
      let answer = () => {}
      const isErased = new Promise<void>((resolve) => {
        answer = resolve
      })
      const { received, accepted, url } = yield* serveReceiver(async ({ caseId }, response) => {
        if (caseId === erased.id) await isErased
        response.writeHead(200).end(`thanks for Maria ${caseId}`)
      })
      yield* makeEndpoint(organizationId, url)
      for (const { id } of [erased, other]) yield* recordEvent(organizationId, id)
      yield* untilArrived(received, 2)
      yield* keys.destroy(organizationId, erased.userId, yield* DateTime.nowAsDate)
      answer()
      yield* untilArrived(accepted, 2)
      const stored = yield* until(
        sql<{ deliveryId: WebhookDeliveryId; caseId: string }>`
          SELECT delivery_id, case_id FROM webhook_attempts JOIN webhook_deliveries d ON d.id = delivery_id
          WHERE d.organization_id = ${organizationId}
        `,
        ({ length }) => length === 2
      )
      const attempts = yield* repo.attemptsOf(
        organizationId,
        stored.map(({ deliveryId }) => ({ id: deliveryId, attempted: 1 }))
      )
      const caseOf = new Map(stored.map(({ caseId, deliveryId }) => [deliveryId, caseId]))
      const answers = new Map(attempts.map(({ answer, deliveryId }) => [caseOf.get(deliveryId), answer]))
      assert.strictEqual(answers.get(other.id), `thanks for Maria ${other.id}`)
      assert.isNull(answers.get(erased.id))
    })
  )

  it.effect("an event is signed with every valid secret", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const { accepted, url } = yield* serveReceiver()
      const newer = `whsec_${Buffer.alloc(32, 9).toString("base64")}`
      const both = yield* serveReceiver(undefined, newer)
      const now = yield* Clock.currentTimeMillis
      const rotated = (until: Date) => ({
        secret: newer,
        previousSecret: secret,
        previousSecretUntil: until
      })
      yield* makeEndpoint(organizationId, url, rotated(new Date(now + 10_000_000)))
      yield* makeEndpoint(organizationId, both.url, rotated(new Date(now - 1000)))
      yield* makeEventfulCase(organizationId)
      yield* untilArrived(accepted, 1)
      yield* untilArrived(both.accepted, 1)
      const { body = "", headers = {}, id = "" } = accepted[0] ?? {}
      const at = new Date(Number(headers["webhook-timestamp"]) * 1000)
      // The newer secret first.
      assert.strictEqual(
        headers["webhook-signature"],
        [newer, secret].map((each) => new Webhook(each).sign(id, at, body)).join(" ")
      )
      assert.lengthOf((both.accepted[0]?.headers["webhook-signature"] ?? "").split(" "), 1)
    })
  )
})

// Only here an attempt takes until its limit.
layer(layerStoredWebhooks({ attempt: Duration.millis(700) }), { excludeTestServices: true })("a delivery", (it) => {
  it.effect("whose answer never ends has failed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { endpointId, organizationId } = yield* serveEndpoint(
        (_, response) => void response.writeHead(200).write("x")
      )
      yield* makeEventfulCase(organizationId)
      assert.deepInclude(yield* untilFirst(organizationId, endpointId, attempted(1)), { status: "PENDING" })
      const [row] = yield* sql`
        SELECT answer, failure FROM webhook_attempts WHERE organization_id = ${organizationId}
      `
      assert.deepStrictEqual({ ...row }, { answer: null, failure: "did not answer" })
    })
  )
})
