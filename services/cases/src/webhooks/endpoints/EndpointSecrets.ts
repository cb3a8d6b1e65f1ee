import { randomBytes } from "node:crypto"
import type { IdempotencyConflict, RequestInvalid } from "@care/domain/http"
import { type OrganizationId, WebhookEndpointId } from "@care/domain/ids"
import {
  maxWebhookEndpoints,
  type NewWebhookEndpoint,
  WebhookEndpointNotFound,
  WebhookEndpointsExhausted,
  WebhookEndpointWithSecret
} from "@care/domain/webhooks"
import { Once, onceOperation } from "@care/once"
import { inTransaction } from "@care/service-kit"
import { Context, DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { EndpointQueues } from "../deliveries/EndpointQueues.ts"
import { makeCheckEndpointUrl } from "./checkEndpointUrl.ts"
import { endpointWithSecretOf } from "./endpointOf.ts"
import type { EndpointRequest } from "./PartnerEndpoints.ts"
import { makeWebhookEndpointsRepo } from "./WebhookEndpointsRepo.ts"

const creation = onceOperation({
  name: "createWebhookEndpoint",
  version: 1,
  ids: { id: WebhookEndpointId },
  answer: WebhookEndpointWithSecret
})
const rotation = onceOperation({ name: "rotateWebhookSecret", version: 1, ids: {}, answer: WebhookEndpointWithSecret })

/** How long messages are signed with the previous secret as well. */
const overlap = Duration.hours(24)

const makeSecret = () => `whsec_${randomBytes(32).toString("base64")}`

/** Creates endpoints and rotates their secrets. Nothing else shows a secret. */
export class EndpointSecrets extends Context.Service<
  EndpointSecrets,
  {
    readonly create: (
      organizationId: OrganizationId,
      endpoint: NewWebhookEndpoint,
      key: string | undefined
    ) => Effect.Effect<WebhookEndpointWithSecret, RequestInvalid | WebhookEndpointsExhausted | IdempotencyConflict>
    /** Gives an endpoint a new secret. The previous one is valid for 24 more hours, older ones are not. */
    readonly rotate: (
      request: EndpointRequest
    ) => Effect.Effect<WebhookEndpointWithSecret, WebhookEndpointNotFound | IdempotencyConflict>
  }
>()("@care/cases/webhooks/endpoints/EndpointSecrets") {
  static readonly layer = Layer.effect(
    EndpointSecrets,
    Effect.gen(function* () {
      const checkUrl = yield* makeCheckEndpointUrl
      const queues = yield* EndpointQueues
      const once = yield* Once
      const repo = yield* makeWebhookEndpointsRepo
      const sql = yield* SqlClient.SqlClient

      const add = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        id: WebhookEndpointId,
        { enabled, eventTypes, includeTestCases, url }: NewWebhookEndpoint
      ) {
        const { count } = yield* repo.lockListAndCount(organizationId)
        if (count >= maxWebhookEndpoints) return yield* new WebhookEndpointsExhausted()
        const createdAt = yield* DateTime.nowAsDate
        const endpoint = {
          organizationId,
          id,
          url,
          eventTypes: eventTypes ?? null,
          includesTestCases: includeTestCases ?? false,
          isEnabled: enabled ?? true,
          disabledReason: null,
          secret: makeSecret(),
          previousSecret: null,
          previousSecretUntil: null,
          failingSince: null,
          createdAt,
          updatedAt: createdAt
        }
        yield* repo.insert(endpoint)
        if (!endpoint.isEnabled) yield* queues.refresh(organizationId, id)
        return yield* endpointWithSecretOf(endpoint)
      }, inTransaction(sql))

      const rotate = Effect.fnUntraced(function* ({ id, organizationId }: EndpointRequest) {
        const existing = yield* repo.lock(organizationId, id)
        const { secret: previousSecret } = yield* Effect.fromOption(existing, () => new WebhookEndpointNotFound())
        const now = yield* DateTime.now
        const rotated = yield* repo.update({
          organizationId,
          id,
          secret: makeSecret(),
          previousSecret,
          previousSecretUntil: DateTime.toDate(DateTime.addDuration(now, overlap)),
          updatedAt: DateTime.toDate(now)
        })
        return yield* endpointWithSecretOf(rotated)
      }, inTransaction(sql))

      return EndpointSecrets.of({
        create: Effect.fn("EndpointSecrets.create")(function* (organizationId, endpoint, key) {
          return yield* once.run(creation, { organizationId, key, body: endpoint }, ({ id }) =>
            Effect.as(checkUrl(endpoint.url), add(organizationId, id, endpoint))
          )
        }),

        rotate: Effect.fn("EndpointSecrets.rotate")(function* (request) {
          const { id, key, organizationId } = request
          return yield* once.run(rotation, { organizationId, key, body: { id } }, () => Effect.succeed(rotate(request)))
        })
      })
    })
  ).pipe(Layer.provide(EndpointQueues.layer))
}
