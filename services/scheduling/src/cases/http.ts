import { SchedulingApi } from "@care/domain/scheduling"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CaseSnapshots } from "./CaseSnapshots.ts"

export const FollowedCasesHandlers = HttpApiBuilder.group(
  SchedulingApi,
  "followedCases",
  Effect.fnUntraced(function* (handlers) {
    const facts = yield* CaseSnapshots
    return handlers.handleAll({
      changed: ({ payload }) => Effect.forEach(payload.facts, facts.changed, { discard: true })
    })
  })
)
