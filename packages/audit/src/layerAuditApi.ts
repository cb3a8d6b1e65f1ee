import { ownAuditApi } from "@care/domain/audit"
import type { ServiceName } from "@care/domain/peers"
import { Effect, Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { makeAuditRepo } from "./makeAuditRepo.ts"
import { makePageInTurn } from "./makePageInTurn.ts"

/** Answers the gateway's calls about the audit of a service. */
export const layerAuditApi = (service: ServiceName) => {
  const api = ownAuditApi(service)
  const handlers = HttpApiBuilder.group(
    api,
    "ownAudit",
    Effect.fnUntraced(function* (handlers) {
      const repo = yield* makeAuditRepo
      const pageInTurn = yield* makePageInTurn
      return handlers.handleAll({
        list: ({ query }) => repo.page(query),
        records: ({ params, query }) => pageInTurn(params.organizationId, query),
        heads: ({ query: { cursor, limit, organizationId } }) => repo.heads(organizationId, cursor, limit),
        links: ({ params, query }) => repo.links(params.organizationId, query.after, query.limit),
        strays: ({ params, query }) => repo.strays(params.organizationId, query.after, query.limit)
      })
    })
  )
  return HttpApiBuilder.layer(api).pipe(Layer.provide(handlers))
}
