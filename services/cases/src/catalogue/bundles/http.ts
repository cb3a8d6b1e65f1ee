import { CasesApi } from "@care/domain/cases"
import { Partner } from "@care/domain/http"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Bundles } from "./Bundles.ts"

export const BundlesHandlers = HttpApiBuilder.group(
  CasesApi,
  "bundles",
  Effect.fnUntraced(function* (handlers) {
    const bundles = yield* Bundles
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const isVisible = query.isVisible === undefined ? null : query.isVisible === "true"
        const data = yield* bundles.list((yield* Partner).organizationId, isVisible)
        return { data }
      }),
      get: Effect.fnUntraced(function* ({ params, query }) {
        const data = yield* bundles.get((yield* Partner).organizationId, params.bundleUUID, {
          intakeForm: query.includeIntakeForm === "true",
          followupForm: query.includeFollowupForm === "true"
        })
        return { data }
      })
    })
  })
)
