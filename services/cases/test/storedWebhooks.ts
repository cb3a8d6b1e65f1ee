import { randomUUID } from "node:crypto"
import type { ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import {
  type CaseId,
  EscalationId,
  OrganizationId,
  WebhookDeliveryId,
  WebhookEndpointId,
  WebhookEventId
} from "@care/domain/ids"
import { layerIdleJobs } from "@care/jobs/testing"
import { Once } from "@care/once"
import { Egress, rowsOf } from "@care/service-kit"
import { changedClock, layerTestConfig, serveListener, until } from "@care/service-kit/testing"
import { DispatchLimits } from "@care/webhooks"
import { Array as Arr, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Webhook } from "standardwebhooks"
import { Cases } from "../src/case/lifecycle/Cases.ts"
import { DeliveriesWork } from "../src/webhooks/deliveries/DeliveriesFeature.ts"
import { EndpointQueues } from "../src/webhooks/deliveries/EndpointQueues.ts"
import { Replays } from "../src/webhooks/deliveries/Replays.ts"
import { WebhookEndpoints } from "../src/webhooks/endpoints/WebhookEndpoints.ts"
import { makeWebhookEndpointsRepo, type WebhookEndpointRow } from "../src/webhooks/endpoints/WebhookEndpointsRepo.ts"
import { layerStoredCases, makeCase } from "./storedCases.ts"

/** Makes a clock that a test moves forward. Sleeps take real time. */
export const makeMovedClock = () => {
  let ahead = 0
  return {
    clock: changedClock({ millis: () => Date.now() + ahead }),
    pass: (duration: Duration.Input) =>
      Effect.sync(() => {
        ahead += Duration.toMillis(Duration.fromInputUnsafe(duration))
      })
  }
}

/** The usual limits with changes, and a poll every 20 milliseconds. */
export const layerLimits = (changed: Partial<DispatchLimits> = {}) =>
  Layer.effect(
    DispatchLimits,
    Effect.map(DispatchLimits, (usual) => ({ ...usual, poll: Duration.millis(20), ...changed }))
  )

/** The background work of webhooks, as another process runs it. */
export const layerWork = Layer.fresh(DeliveriesWork).pipe(
  Layer.provide([Egress.layer, layerIdleJobs]),
  Layer.provide(layerTestConfig({ name: "cases" }))
)

/** Cases, replays, and the background work of webhooks, in this process. */
export const layerStoredWebhooks = (limits: Partial<DispatchLimits> = {}) =>
  Layer.merge(DeliveriesWork, Layer.merge(EndpointQueues.layer, Replays.layer)).pipe(
    Layer.provide([Egress.layer, WebhookEndpoints.layer, Once.layer]),
    Layer.provide([layerIdleJobs, layerTestConfig({ name: "cases" })]),
    Layer.provide(layerLimits(limits)),
    Layer.provideMerge(layerStoredCases)
  )

/** The secret of the endpoints of tests. */
export const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`

/** An event that a receiver got. */
export interface Received {
  readonly id: string
  readonly type: string
  readonly caseId: string | undefined
  readonly sequence: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const readBody = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.Struct({
      type: Schema.String,
      timestamp: Schema.String,
      data: Schema.Struct({
        caseId: Schema.optionalKey(Schema.String),
        sequence: Schema.optionalKey(Schema.Int)
      })
    })
  )
)

type Answer = (event: Received, response: ServerResponse) => void | Promise<void>

/**
 * Serves a receiver of events that checks signatures at the time of the test, and answers by `answer`. All events are in `received`, and
 * those that it answered with 2xx in `accepted`.
 */
export const serveReceiver = Effect.fnUntraced(function* (
  answer: Answer = (_, response) => void response.writeHead(204).end(),
  signedWith = secret
) {
  const received: Array<Received> = []
  const accepted: Array<Received> = []
  const { url } = yield* serveListener(async (request, response) => {
    const body = await text(request)
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const at = new Date(Number(headers["webhook-timestamp"]) * 1000)
    const signature = new Webhook(signedWith).sign(headers["webhook-id"] ?? "", at, body)
    if (!headers["webhook-signature"]?.split(" ").includes(signature)) {
      response.writeHead(400).end("The signature is wrong")
      return
    }
    const { data, type } = readBody(body)
    const event = {
      id: headers["webhook-id"] ?? "",
      type,
      caseId: data.caseId,
      sequence: data.sequence ?? 0,
      headers,
      body
    }
    received.push(event)
    response.on("finish", () => {
      if (response.statusCode >= 200 && response.statusCode < 300) accepted.push(event)
    })
    await answer(event, response)
  })
  return { url: `${url}/events-of-cases`, received, accepted }
})

/** Stores an endpoint, which wants all events by default. */
export const makeEndpoint = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  url: string,
  changes: Partial<WebhookEndpointRow> = {}
) {
  const repo = yield* makeWebhookEndpointsRepo
  const createdAt = yield* DateTime.nowAsDate
  const id = WebhookEndpointId.make(randomUUID())
  yield* repo.insert({
    organizationId,
    id,
    url,
    eventTypes: null,
    includesTestCases: false,
    isEnabled: true,
    disabledReason: null,
    secret,
    previousSecret: null,
    previousSecretUntil: null,
    failingSince: null,
    createdAt,
    updatedAt: createdAt,
    ...changes
  })
  return id
})

export const newOrganization = () => OrganizationId.make(randomUUID())

/** Makes an organization with one endpoint, whose receiver answers by `answer`. */
export const serveEndpoint = Effect.fnUntraced(function* (answer?: Answer) {
  const organizationId = newOrganization()
  const receiver = yield* serveReceiver(answer)
  return { ...receiver, organizationId, endpointId: yield* makeEndpoint(organizationId, receiver.url) }
})

/** Records an activity of a case that is an event for partners. */
export const recordEvent = Effect.fnUntraced(function* (organizationId: OrganizationId, caseId: CaseId) {
  const cases = yield* Cases
  yield* Effect.orDie(
    cases.record(organizationId, caseId, {
      type: "ESCALATION_COMPLETED",
      details: { escalationId: EscalationId.make(randomUUID()) }
    })
  )
})

/** Stores a case with this number of events. */
export const makeEventfulCase = Effect.fnUntraced(function* (organizationId: OrganizationId, events = 1) {
  const { id } = yield* makeCase(organizationId, { isSole: false })
  for (let event = 0; event < events; event += 1) yield* recordEvent(organizationId, id)
  return id
})

const StoredDelivery = Schema.Struct({
  id: WebhookDeliveryId,
  eventId: WebhookEventId,
  status: Schema.String,
  attempts: Schema.Int,
  attemptsLeft: Schema.Int,
  nextAttemptAt: Schema.NullOr(Schema.Date)
})
const storedDeliveries = rowsOf(StoredDelivery)

/** Reads the deliveries to an endpoint, in the order of their events. */
export const readDeliveries = Effect.fnUntraced(function* (organizationId: OrganizationId, endpointId: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* storedDeliveries.all(sql`
    SELECT id, event_id, status, attempts, attempts_left, next_attempt_at FROM webhook_deliveries
    WHERE organization_id = ${organizationId} AND endpoint_id = ${endpointId} ORDER BY position
  `)
})

/** Waits until `count` events have arrived. */
export const untilArrived = (events: ReadonlyArray<unknown>, count: number) =>
  until(
    Effect.sync(() => events.length),
    (length) => length >= count
  )

/** Waits until the first delivery to an endpoint fulfils a condition. */
export const untilFirst = (
  organizationId: OrganizationId,
  endpointId: string,
  isExpected: (delivery: typeof StoredDelivery.Type) => boolean
) =>
  Effect.map(
    until(readDeliveries(organizationId, endpointId), ([first]) => first !== undefined && isExpected(first)),
    (deliveries) => Arr.getUnsafe(deliveries, 0)
  )

/** Counts the pending deliveries of an organization. */
export const countPending = Effect.fnUntraced(function* (organizationId: OrganizationId) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    SELECT FROM webhook_deliveries WHERE organization_id = ${organizationId} AND status = 'PENDING'
  `
  return rows.length
})
