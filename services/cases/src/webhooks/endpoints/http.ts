import { CasesApi } from "@care/domain/cases"
import { Partner } from "@care/domain/http"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { EndpointSecrets } from "./EndpointSecrets.ts"
import { PartnerEndpoints } from "./PartnerEndpoints.ts"

export const WebhookEndpointsHandlers = HttpApiBuilder.group(
  CasesApi,
  "webhookEndpoints",
  Effect.fnUntraced(function* (handlers) {
    const endpoints = yield* PartnerEndpoints
    const secrets = yield* EndpointSecrets
    return handlers.handleAll({
      create: Effect.fnUntraced(function* ({ headers, payload }) {
        const { organizationId } = yield* Partner
        return { data: yield* secrets.create(organizationId, payload, headers["idempotency-key"]) }
      }),
      list: Effect.fnUntraced(function* ({ query }) {
        return yield* endpoints.list((yield* Partner).organizationId, query)
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        return { data: yield* endpoints.get((yield* Partner).organizationId, params.endpointId) }
      }),
      change: Effect.fnUntraced(function* ({ params, payload }) {
        return { data: yield* endpoints.change((yield* Partner).organizationId, params.endpointId, payload) }
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        yield* endpoints.remove((yield* Partner).organizationId, params.endpointId)
        return {}
      }),
      rotateSecret: Effect.fnUntraced(function* ({ headers, params }) {
        const { organizationId } = yield* Partner
        const request = { organizationId, id: params.endpointId, key: headers["idempotency-key"] }
        return { data: yield* secrets.rotate(request) }
      }),
      test: Effect.fnUntraced(function* ({ headers, params }) {
        const { organizationId } = yield* Partner
        const request = { organizationId, id: params.endpointId, key: headers["idempotency-key"] }
        return { data: yield* endpoints.test(request) }
      })
    })
  })
)
