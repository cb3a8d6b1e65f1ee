import { GatewayApi } from "@care/domain/gateway"
import { Partner, RequestInvalid } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { organizationScope } from "@care/service-kit"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CallerCell, CellOfId, Cells } from "../../cells/index.ts"
import { AuditArchives } from "./AuditArchives.ts"
import { AuditTrail } from "./AuditTrail.ts"
import { makeSerialRequests } from "./makeSerialRequests.ts"

// The records of a person's organization alone.
const ofScope = <Query extends { readonly organizationId?: OrganizationId }>(query: Query): Effect.Effect<Query> =>
  Effect.map(organizationScope, (organizationId) =>
    organizationId === undefined ? query : { ...query, organizationId }
  )

export const AuditHandlers = HttpApiBuilder.group(
  GatewayApi,
  "audit",
  Effect.fnUntraced(function* (handlers) {
    const trail = yield* AuditTrail
    const cells = yield* Cells
    const cellOfId = yield* CellOfId
    const cellsOfHeads = Effect.fnUntraced(function* (name: string | undefined, organizationId?: OrganizationId) {
      if (name !== undefined) return [yield* cells.named(name, "query")]
      return organizationId === undefined ? cells.all : [yield* cellOfId.find("organizationId", organizationId)]
    })
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        return yield* trail.list(yield* ofScope(query))
      }),
      heads: Effect.fnUntraced(function* ({ params, query: { cell, ...filter } }) {
        const query = yield* ofScope(filter)
        return yield* trail.heads(yield* cellsOfHeads(cell, query.organizationId), params.service, query)
      }),
      links: ({ params, query }) => trail.links(params.service, params.organizationId, query),
      checkpoints: ({ params, query }) => trail.checkpoints(params.service, params.organizationId, query),
      strays: ({ params, query }) => trail.strays(params.service, params.organizationId, query)
    })
  })
)

export const AuditArchivesHandlers = HttpApiBuilder.group(
  GatewayApi,
  "auditArchives",
  Effect.fnUntraced(function* (handlers) {
    const archives = yield* AuditArchives
    const cells = yield* Cells
    // The archive of a month without the records of a cell would not show it.
    const cellOfMonth = (name: string | undefined, part: "query" | "payload") =>
      name === undefined && cells.all.length > 1
        ? new RequestInvalid({ part, path: "cell", reason: "is required, because there are several cells" })
        : cells.named(name, part)
    return handlers.handleAll({
      chains: Effect.fnUntraced(function* ({ params: { month, service }, query: { cell, ...query } }) {
        return yield* archives.chains(yield* cellOfMonth(cell, "query"), service, month, query)
      }),
      piece: ({ params, query }) => archives.piece(params, query),
      check: ({ params, payload }) => archives.check(params, payload),
      remove: Effect.fnUntraced(function* ({ params: { month, service }, payload }) {
        return yield* archives.remove(yield* cellOfMonth(payload.cell, "payload"), service, month)
      })
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
