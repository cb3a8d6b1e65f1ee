import { CasesApi } from "@care/domain/cases"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { BreakGlasses } from "./BreakGlasses.ts"

export const BreakGlassHandlers = HttpApiBuilder.group(
  CasesApi,
  "breakGlass",
  Effect.fnUntraced(function* (handlers) {
    const accesses = yield* BreakGlasses
    return handlers.handleAll({
      open: ({ params, payload }) => accesses.open(params.caseId, payload),
      list: ({ query }) => accesses.list(query)
    })
  })
)
