import type { OrganizationId, WebhookEndpointId } from "@care/domain/ids"
import type { DisabledReason } from "@care/domain/webhooks"
import { inTransaction } from "@care/service-kit"
import { type EndedAttempt, stepEndpoint } from "@care/webhooks"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Events } from "../events/Events.ts"
import { EndpointNotices } from "./EndpointNotices.ts"
import { makeWebhookEndpointsRepo } from "./WebhookEndpointsRepo.ts"

/**
 * The data of an endpoint that is needed to send it an event. `secrets` sign the event, the newest first. `isFailing` says that an attempt
 * failed since the last success; `changedAt` is the endpoint's last change.
 */
export interface Signing {
  readonly url: string
  readonly secrets: ReadonlyArray<string>
  readonly isEnabled: boolean
  readonly isFailing: boolean
  readonly changedAt: Date
}

/** The endpoints of partners, as the dispatcher sees them. */
export class WebhookEndpoints extends Context.Service<
  WebhookEndpoints,
  {
    /** Returns none when there is no such endpoint. */
    readonly signing: (organizationId: OrganizationId, id: WebhookEndpointId) => Effect.Effect<Option.Option<Signing>>
    /**
     * Stores how an attempt went, as `stepEndpoint` says, and returns whether the endpoint is enabled. When that disables the endpoint,
     * the organization is notified once, by an event to its other endpoints and by email. A deleted endpoint is not enabled.
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

      const notifyDisabled = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        disabled: { readonly endpointId: WebhookEndpointId; readonly reason: DisabledReason }
      ) {
        const type = "webhook.endpoint.disabled"
        yield* events.addOwn({ organizationId, type, data: disabled, exceptEndpoint: disabled.endpointId })
        yield* notices.offer({ organizationId, ...disabled })
        yield* Effect.logWarning("A webhook endpoint was disabled").pipe(
          Effect.annotateLogs({ organizationId, ...disabled })
        )
      })

      return WebhookEndpoints.of({
        signing: Effect.fn("WebhookEndpoints.signing")(function* (organizationId, id) {
          const found = yield* repo.find(organizationId, id)
          const now = yield* DateTime.nowAsDate
          return Option.map(found, ({ failingSince, previousSecret, previousSecretUntil, secret, ...endpoint }) => {
            const hasBothSecrets = previousSecret !== null && previousSecretUntil !== null && previousSecretUntil > now
            return {
              url: endpoint.url,
              secrets: hasBothSecrets ? [secret, previousSecret] : [secret],
              isEnabled: endpoint.isEnabled,
              isFailing: failingSince !== null,
              changedAt: endpoint.updatedAt
            }
          })
        }),

        outcome: Effect.fn("WebhookEndpoints.outcome")(function* (organizationId, id, attempt) {
          const before = yield* repo.lockState(organizationId, id)
          if (Option.isNone(before)) return { isEnabled: false }
          const { effects, state } = stepEndpoint(before.value, attempt)
          // The row is written by the first failure and the first success after it, and by the failure that disables the endpoint.
          if (state !== before.value) {
            yield* repo.update({ organizationId, id, ...state, disabledReason: effects[0]?.reason })
          }
          for (const { reason } of effects) yield* notifyDisabled(organizationId, { endpointId: id, reason })
          return { isEnabled: state.isEnabled }
        }, inTransaction(sql))
      })
    })
  ).pipe(Layer.provide([EndpointNotices.layer, Events.layer]))
}
