import { CasesApi } from "@care/domain/cases"
import { asSlowRead } from "@care/service-kit"
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
      // A read, although it is a POST.
      find: ({ payload }) => asSlowRead(search.find(payload))
    })
  })
)
