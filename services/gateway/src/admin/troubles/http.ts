import { GatewayApi } from "@care/domain/gateway"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { TroubledOrganizations } from "./TroubledOrganizations.ts"

export const TroublesHandlers = HttpApiBuilder.group(
  GatewayApi,
  "troubles",
  Effect.fnUntraced(function* (handlers) {
    const troubled = yield* TroubledOrganizations
    return handlers.handleAll({ list: ({ query }) => troubled.list(query) })
  })
)
