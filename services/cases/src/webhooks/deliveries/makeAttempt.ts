import { Egress, inTransaction, type Posted } from "@care/service-kit"
import { Clock, DateTime, Duration, Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import { Webhook } from "standardwebhooks"
import { type Signing, WebhookEndpoints } from "../endpoints/WebhookEndpoints.ts"
import { makeDeliveryAttemptsRepo, type NextDelivery } from "./DeliveryAttemptsRepo.ts"
import { DeliveryLanes } from "./DeliveryLanes.ts"
import { DeliveryLimits } from "./DeliveryLimits.ts"
import { type ClaimedQueue, makeDeliveryQueuesRepo } from "./DeliveryQueuesRepo.ts"
import { judge } from "./judge.ts"
import { retryDelay } from "./retryDelay.ts"

/** How an attempt went, and whether more may be sent to the endpoint. */
interface Attempted {
  readonly isDelivered: boolean
  readonly isEnabled: boolean
}

const mostBytes = 1024

const headersOf = ({ eventId }: NextDelivery, body: string, { secrets }: Signing, at: Date) => ({
  "content-type": "application/json",
  "user-agent": "Partner-Care-Webhooks/1",
  "webhook-id": eventId,
  "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
  "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(eventId, at, body)).join(" ")
})

/** One attempt at a delivery: it is sent, and how that went is stored. */
export const makeAttempt = Effect.gen(function* () {
  const egress = yield* Egress
  const endpoints = yield* WebhookEndpoints
  const lanes = yield* DeliveryLanes
  const limits = yield* DeliveryLimits
  const queues = yield* makeDeliveryQueuesRepo
  const repo = yield* makeDeliveryAttemptsRepo
  const sql = yield* SqlClient.SqlClient

  const send = Effect.fnUntraced(function* (delivery: NextDelivery, signing: Signing) {
    const at = yield* DateTime.nowAsDate
    const body = JSON.stringify({ type: delivery.type, timestamp: delivery.at.toISOString(), data: delivery.data })
    const begun = yield* Clock.monotonicTimeNanos
    const sent = yield* Effect.result(
      egress.post(signing.url, {
        headers: headersOf(delivery, body, signing, at),
        body,
        mostBytes,
        within: limits.attempt
      })
    )
    const durationMillis = Math.round(Number((yield* Clock.monotonicTimeNanos) - begun) / 1e6)
    return { sent, made: { at, durationMillis, ...Result.match(sent, { onSuccess: answered, onFailure: unanswered }) } }
  })

  const fail = Effect.fnUntraced(function* (
    queue: ClaimedQueue,
    delivery: NextDelivery,
    { made, sent }: Effect.Success<ReturnType<typeof send>>,
    { changedAt }: Signing
  ) {
    const now = yield* DateTime.nowAsDate
    const { outcome, retryAfter, slowed } = judge(Result.getSuccess(sent), now)
    const later = (duration: Duration.Duration) => new Date(now.getTime() + Duration.toMillis(duration))
    const delay = yield* retryDelay((yield* repo.lockAttemptsLeft(queue, delivery)) - 1)
    if (delay === undefined) yield* repo.giveUp(queue, delivery, made)
    else yield* repo.retry(queue, delivery, made, later(Duration.max(delay, retryAfter ?? Duration.zero)))
    const { isEnabled } = yield* endpoints.outcome(queue.organizationId, queue.endpointId, {
      outcome: outcome === "GONE" ? "GONE" : "FAILED",
      at: made.at,
      changedAt
    })
    if (slowed !== undefined) yield* queues.slow(queue, later(slowed))
    if (!isEnabled) yield* lanes.pause(queue.organizationId, queue.endpointId)
    return { isDelivered: false, isEnabled }
  }, inTransaction(sql))

  return Effect.fnUntraced(
    function* (queue: ClaimedQueue, delivery: NextDelivery, signing: Signing): Effect.fn.Return<Attempted> {
      const attempt = yield* send(delivery, signing)
      const { outcome } = judge(Result.getSuccess(attempt.sent), attempt.made.at)
      if (outcome !== "DELIVERED") return yield* fail(queue, delivery, attempt, signing)
      yield* repo.succeed(queue, delivery, attempt.made)
      return { isDelivered: true, isEnabled: true }
    },
    (attempt, { endpointId }) =>
      attempt.pipe(
        Effect.withSpan("webhook attempt", { root: true, kind: "client", attributes: { endpointId } }),
        Effect.withTracerEnabled(true)
      )
  )
})

const answered = ({ status, text }: Posted) => ({ status, failure: null, answer: text })

const unanswered = ({ reason }: { readonly reason: string }) => ({ status: null, failure: reason, answer: null })
