import { CasesApi } from "@care/domain/cases"
import { Effect, Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Viewers } from "./Viewers.ts"

/** Who looks at cases at this moment. */
export const ViewersFeature = HttpApiBuilder.group(
  CasesApi,
  "caseViewers",
  Effect.fnUntraced(function* (handlers) {
    const viewers = yield* Viewers
    return handlers.handleAll({
      look: ({ params }) => viewers.look(params.caseId),
      leave: ({ params }) => viewers.leave(params.caseId)
    })
  })
).pipe(Layer.provide(Viewers.layer))
