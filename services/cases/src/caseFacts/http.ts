import { CasesApi } from "@care/domain/cases"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Providers } from "../assignment/Providers.ts"
import { Cases } from "../lifecycle/Cases.ts"

export const CaseFactsHandlers = HttpApiBuilder.group(
  CasesApi,
  "caseFacts",
  Effect.fnUntraced(function* (handlers) {
    const cases = yield* Cases
    const providers = yield* Providers
    return handlers.handleAll({
      personChanged: ({ payload }) => providers.personChanged(payload),
      profileLock: ({ params }) =>
        Effect.map(cases.locksProfile(params.organizationId, params.userId), (isLocked) => ({ isLocked }))
    })
  })
)
