import { CasesApi } from "@care/domain/cases"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CaseSearch } from "./CaseSearch.ts"

export const SearchHandlers = HttpApiBuilder.group(
  CasesApi,
  "caseSearch",
  Effect.fnUntraced(function* (handlers) {
    const search = yield* CaseSearch
    return handlers.handleAll({
      list: ({ query }) => search.list(query),
      find: ({ payload }) => search.find(payload)
    })
  })
)
