import { GatewayApi } from "@care/domain/gateway"
import { Partner } from "@care/domain/http"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { AuditTrail } from "./AuditTrail.ts"
import { makeSerialRequests } from "./makeSerialRequests.ts"

export const AuditHandlers = HttpApiBuilder.group(
  GatewayApi,
  "audit",
  Effect.fnUntraced(function* (handlers) {
    const trail = yield* AuditTrail
    return handlers.handleAll({
      list: ({ query }) => trail.list(query),
      heads: ({ params, query }) => trail.heads(params.service, query),
      links: ({ params, query }) => trail.links(params.service, params.organizationId, query),
      strays: ({ params, query }) => trail.strays(params.service, params.organizationId, query)
    })
  })
)

export const AuditRecordsHandlers = HttpApiBuilder.group(
  GatewayApi,
  "auditRecords",
  Effect.fnUntraced(function* (handlers) {
    const trail = yield* AuditTrail
    const runSerially = makeSerialRequests()
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* Partner
        return yield* runSerially(organizationId, trail.records(organizationId, query))
      })
    })
  })
)
