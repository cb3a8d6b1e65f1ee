import { GatewayApi } from "@care/domain/gateway"
import { Partner } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CallerCell, CellOfId, Cells } from "../../cells/index.ts"
import { AuditTrail } from "./AuditTrail.ts"
import { makeSerialRequests } from "./makeSerialRequests.ts"

export const AuditHandlers = HttpApiBuilder.group(
  GatewayApi,
  "audit",
  Effect.fnUntraced(function* (handlers) {
    const trail = yield* AuditTrail
    const cells = yield* Cells
    const cellOfId = yield* CellOfId
    const headsCell = (name: string | undefined, organizationId: OrganizationId | undefined) =>
      name === undefined && organizationId !== undefined
        ? cellOfId.find("organizationId", organizationId)
        : cells.named(name, "query")
    return handlers.handleAll({
      list: ({ query }) => trail.list(query),
      heads: Effect.fnUntraced(function* ({ params, query: { cell, ...query } }) {
        return yield* trail.heads(yield* headsCell(cell, query.organizationId), params.service, query)
      }),
      links: ({ params, query }) => trail.links(params.service, params.organizationId, query),
      checkpoints: ({ params, query }) => trail.checkpoints(params.service, params.organizationId, query),
      strays: ({ params, query }) => trail.strays(params.service, params.organizationId, query)
    })
  })
)

export const AuditRecordsHandlers = HttpApiBuilder.group(
  GatewayApi,
  "auditRecords",
  Effect.fnUntraced(function* (handlers) {
    const trail = yield* AuditTrail
    const { first } = yield* Cells
    const runSerially = makeSerialRequests()
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* Partner
        const cell = (yield* CallerCell) ?? first
        return yield* runSerially(organizationId, trail.records(cell, organizationId, query))
      })
    })
  })
)
