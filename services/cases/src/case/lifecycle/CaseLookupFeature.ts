import { CasesApi } from "@care/domain/cases"
import { Effect, Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Cases } from "./Cases.ts"

/** Answers what the other services ask about cases. */
export const CaseLookupFeature = HttpApiBuilder.group(
  CasesApi,
  "caseLookup",
  Effect.fnUntraced(function* (handlers) {
    const cases = yield* Cases
    return handlers.handleAll({
      profileLock: ({ params }) =>
        Effect.map(cases.locksProfile(params.organizationId, params.userId), (isLocked) => ({ isLocked })),
      owner: ({ params }) => cases.findAny(params.caseId),
      follow: ({ params }) => cases.follow(params.organizationId, params.caseId),
      followNewest: ({ params, payload }) => cases.followNewest(params.organizationId, payload.email)
    })
  })
).pipe(Layer.provide(Cases.layer))
