import { CasesApi } from "@care/domain/cases"
import { asSlowRead, Time } from "@care/service-kit"
import { DateTime, Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { makeTroublesRepo } from "./TroublesRepo.ts"

/** The organizations of this cell at which something is wrong. */
export const TroublesFeature = HttpApiBuilder.group(
  CasesApi,
  "troubleLookup",
  Effect.fnUntraced(function* (handlers) {
    const repo = yield* makeTroublesRepo
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { cursor: after, limit } }) {
        const createdBefore = DateTime.toDateUtc(DateTime.subtract(yield* Time.now, { days: 1 }))
        return yield* asSlowRead(repo.list({ after, createdBefore, limit }))
      })
    })
  })
)
