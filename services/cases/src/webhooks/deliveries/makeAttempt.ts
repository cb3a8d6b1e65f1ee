import { isDeliveredTwice } from "@care/domain/magicValues"
import { Egress, inTransaction } from "@care/service-kit"
import { classifyResponse, DispatchLimits, signedHeaders, stepDelivery } from "@care/webhooks"
import { Clock, DateTime, Duration, Effect, Metric, Random, Result } from "effect"
import { SqlClient } from "effect/sql"
import { type Signing, WebhookEndpoints } from "../endpoints/WebhookEndpoints.ts"
import { type FinishedAttempt, makeDeliveryAttemptsRepo, type NextDelivery } from "./DeliveryAttemptsRepo.ts"
import { type ClaimedQueue, makeDeliveryQueuesRepo } from "./DeliveryQueuesRepo.ts"
import { EndpointQueues } from "./EndpointQueues.ts"

/** How an attempt went, and whether more may be sent to the endpoint. */
interface AttemptOutcome {
  readonly isDelivered: boolean
  readonly isEnabled: boolean
}

const maxBytes = 1024

// As if the endpoint of a sandbox had answered.
const simulatedFailure = { status: 500, retryAfter: undefined, text: "Simulated failure" }

const firstAttemptDelay = Metric.histogram("webhook_first_attempt_delay_seconds", {
  description: "Time from when a delivery to an endpoint that does not fail can be sent to its first attempt",
  boundaries: [0.1, 0.5, 1, 5, 15, 30, 60, 300, 1800]
})

// A delivery can be sent when the one before it in its lane has ended, and its endpoint is enabled. Deliveries to an endpoint that fails are
// not counted: they wait for it.
const countFirstAttempt = (
  { health }: ClaimedQueue,
  { attempts, dueAt, isTest }: NextDelivery,
  { changedAt, isFailing }: Signing,
  at: Date
): Effect.Effect<void> => {
  if (attempts > 0 || isFailing || health === "FAILING") return Effect.void
  const since = Math.max(dueAt.getTime(), changedAt.getTime())
  return Metric.update(
    Metric.withAttributes(firstAttemptDelay, { mode: isTest ? "test" : "live" }),
    Math.max(0, at.getTime() - since) / 1000
  )
}

/** Makes one attempt at a delivery: it is sent, and the outcome is stored. */
export const makeAttempt = Effect.gen(function* () {
  const egress = yield* Egress
  const endpoints = yield* WebhookEndpoints
  const endpointQueues = yield* EndpointQueues
  const limits = yield* DispatchLimits
  const queues = yield* makeDeliveryQueuesRepo
  const repo = yield* makeDeliveryAttemptsRepo
  const sql = yield* SqlClient.SqlClient

  const send = Effect.fnUntraced(function* (delivery: NextDelivery, { secrets, url }: Signing) {
    const at = yield* DateTime.nowAsDate
    const body = JSON.stringify({ type: delivery.type, timestamp: delivery.at.toISOString(), data: delivery.data })
    const headers = {
      "content-type": "application/json",
      "user-agent": "Partner-Care-Webhooks/1",
      ...signedHeaders(delivery.eventId, body, secrets, at)
    }
    const startedAt = yield* Clock.monotonicTimeNanos
    const posted = delivery.simulatesFailure
      ? Effect.succeed(simulatedFailure)
      : egress.post(url, { headers, body, maxBytes, within: limits.attempt })
    const result = yield* Effect.result(posted)
    const durationMillis = Math.round(Number((yield* Clock.monotonicTimeNanos) - startedAt) / 1e6)
    return Result.match(result, {
      onSuccess: (response) => ({
        response,
        finished: { at, durationMillis, status: response.status, failure: null, answer: response.text }
      }),
      onFailure: ({ reason }) => ({
        response: undefined,
        finished: { at, durationMillis, status: null, failure: reason, answer: null }
      })
    })
  })

  // Locks are taken in the order of docs/decisions/0056-deliveries.md: delivery, lane, endpoint, queue.
  const fail = Effect.fnUntraced(function* (
    queue: ClaimedQueue,
    delivery: NextDelivery,
    finished: FinishedAttempt,
    { outcome, ...classified }: ReturnType<typeof classifyResponse>,
    { changedAt }: Signing
  ) {
    const now = yield* DateTime.nowAsDate
    // The clock of a sandbox would stop at each of the deliveries that failed together.
    const random = delivery.isTest ? 0 : yield* Random.next
    const state = { ...delivery, attemptsLeft: yield* repo.lockAttemptsLeft(queue, delivery) }
    yield* repo.store(queue, delivery, finished, stepDelivery(state, { outcome, ...classified }, now, random))
    const { isEnabled } = yield* endpoints.outcome(queue.organizationId, queue.endpointId, {
      outcome,
      at: finished.at,
      changedAt
    })
    const { slowFor } = classified
    if (slowFor !== undefined) yield* queues.slow(queue, new Date(now.getTime() + Duration.toMillis(slowFor)))
    if (!isEnabled) yield* endpointQueues.refresh(queue.organizationId, queue.endpointId)
    return { isDelivered: false, isEnabled }
  }, inTransaction(sql))

  return Effect.fnUntraced(
    function* (queue: ClaimedQueue, delivery: NextDelivery, signing: Signing): Effect.fn.Return<AttemptOutcome> {
      const { finished, response } = yield* send(delivery, signing)
      yield* countFirstAttempt(queue, delivery, signing, finished.at)
      const now = yield* DateTime.nowAsDate
      const classified = classifyResponse(response, now)
      if (classified.outcome !== "DELIVERED") return yield* fail(queue, delivery, finished, classified, signing)
      yield* repo.store(queue, delivery, finished, stepDelivery(delivery, classified, now, 0))
      if (delivery.isTest && isDeliveredTwice(signing.url)) yield* send(delivery, signing)
      return { isDelivered: true, isEnabled: true }
    },
    (attempt, { endpointId }) =>
      attempt.pipe(
        Effect.withSpan("webhook attempt", { root: true, kind: "client", attributes: { endpointId } }),
        Effect.withTracerEnabled(true)
      )
  )
})
