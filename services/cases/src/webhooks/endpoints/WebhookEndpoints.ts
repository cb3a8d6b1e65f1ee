import type { OrganizationId, WebhookEndpointId } from "@care/domain/ids"
import type { DisabledReason } from "@care/domain/webhooks"
import { inTransaction } from "@care/service-kit"
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Events } from "../events/Events.ts"
import { EndpointNotices } from "./EndpointNotices.ts"
import { makeWebhookEndpointsRepo } from "./WebhookEndpointsRepo.ts"

/** How an attempt at an endpoint went. `GONE` is an answer of 410. */
export type Outcome = "DELIVERED" | "FAILED" | "GONE"

/**
 * What is needed to send an event: `secrets` are those that it is signed with, the newest first. `isFailing` when an attempt
 * failed since the last that is known to have succeeded; `changedAt` is when the endpoint was changed last.
 */
export interface Signing {
  readonly url: string
  readonly secrets: ReadonlyArray<string>
  readonly isEnabled: boolean
  readonly isFailing: boolean
  readonly changedAt: Date
}

/** An attempt that began at `at`, at the endpoint as it was when it had been changed at `changedAt`. */
interface EndedAttempt extends Pick<Signing, "changedAt"> {
  readonly outcome: Outcome
  readonly at: Date
}

/** How long all attempts at an endpoint may fail before it is disabled. */
const longestFailing = Duration.days(5)

/** The endpoints of partners, as those who send to them see them. */
export class WebhookEndpoints extends Context.Service<
  WebhookEndpoints,
  {
    /** None when there is no such endpoint. */
    readonly signing: (organizationId: OrganizationId, id: WebhookEndpointId) => Effect.Effect<Option.Option<Signing>>
    /**
     * Notes how an attempt went; the endpoint is disabled when it is gone, or has failed for five days without a success.
     * Whoever disables it has the organization told, once: by an event to its other endpoints, and by email. A failure at an
     * endpoint that was changed meanwhile says nothing: it may lead elsewhere now. Of an endpoint that is deleted nothing is
     * noted, and it is not enabled.
     */
    readonly outcome: (
      organizationId: OrganizationId,
      id: WebhookEndpointId,
      attempt: EndedAttempt
    ) => Effect.Effect<{ readonly isEnabled: boolean }>
  }
>()("@care/cases/webhooks/endpoints/WebhookEndpoints") {
  static readonly layer = Layer.effect(
    WebhookEndpoints,
    Effect.gen(function* () {
      const events = yield* Events
      const notices = yield* EndpointNotices
      const repo = yield* makeWebhookEndpointsRepo
      const sql = yield* SqlClient.SqlClient

      // The row is written by the first failure, and by the one that disables it.
      const failed = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        endpointId: WebhookEndpointId,
        { at, changedAt, outcome }: EndedAttempt
      ) {
        const standing = yield* repo.lockStanding(organizationId, endpointId)
        if (Option.isNone(standing)) return false
        const { failingSince, isEnabled, updatedAt } = standing.value
        if (!isEnabled || updatedAt.getTime() !== changedAt.getTime()) return isEnabled
        const since = failingSince ?? at
        const isOver = at.getTime() - since.getTime() >= Duration.toMillis(longestFailing)
        if (outcome === "GONE" || isOver) {
          const reason: DisabledReason = outcome === "GONE" ? "GONE" : "FAILING"
          const disabled = { endpointId, reason }
          const change = { failingSince: since, isEnabled: false, disabledReason: reason, updatedAt: at }
          yield* repo.update({ organizationId, id: endpointId, ...change })
          const type = "webhook.endpoint.disabled"
          yield* events.addOwn({ organizationId, type, data: disabled, exceptEndpoint: endpointId })
          yield* notices.offer({ organizationId, ...disabled })
          yield* Effect.logWarning("A webhook endpoint was disabled").pipe(
            Effect.annotateLogs({ organizationId, ...disabled })
          )
          return false
        }
        if (failingSince === null) yield* repo.update({ organizationId, id: endpointId, failingSince: since })
        return true
      }, inTransaction(sql))

      return WebhookEndpoints.of({
        signing: Effect.fn("WebhookEndpoints.signing")(function* (organizationId, id) {
          const found = yield* repo.find(organizationId, id)
          const now = yield* DateTime.nowAsDate
          return Option.map(found, ({ failingSince, previousSecret, previousSecretUntil, secret, ...endpoint }) => {
            const isBoth = previousSecret !== null && previousSecretUntil !== null && previousSecretUntil > now
            return {
              url: endpoint.url,
              secrets: isBoth ? [secret, previousSecret] : [secret],
              isEnabled: endpoint.isEnabled,
              isFailing: failingSince !== null,
              changedAt: endpoint.updatedAt
            }
          })
        }),

        outcome: Effect.fn("WebhookEndpoints.outcome")(function* (organizationId, id, attempt) {
          const isDelivered = attempt.outcome === "DELIVERED"
          const isEnabled = yield* isDelivered ? repo.succeed(organizationId, id) : failed(organizationId, id, attempt)
          return { isEnabled }
        })
      })
    })
  ).pipe(Layer.provide([EndpointNotices.layer, Events.layer]))
}
