import { CasesApi } from "@care/domain/cases"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { AssignmentWalks } from "../assignment/AssignmentWalks.ts"
import { Cases } from "../lifecycle/Cases.ts"
import { People } from "../people/People.ts"

export const CaseFactsHandlers = HttpApiBuilder.group(
  CasesApi,
  "caseFacts",
  Effect.fnUntraced(function* (handlers) {
    const cases = yield* Cases
    const beginWalk = yield* AssignmentWalks.makeBegin
    const people = yield* People
    return handlers.handleAll({
      providerJoined: ({ params, payload }) => beginWalk(params.organizationId, payload.providerId),
      personChanged: ({ payload }) => people.keep(payload),
      profileLock: ({ params }) =>
        Effect.map(cases.locksProfile(params.organizationId, params.userId), (isLocked) => ({ isLocked }))
    })
  })
)
