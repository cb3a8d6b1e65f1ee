import { CasesApi } from "@care/domain/cases"
import { Effect, Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Dashboards } from "./Dashboards.ts"

/** The dashboard of operators. */
export const DashboardFeature = HttpApiBuilder.group(
  CasesApi,
  "dashboard",
  Effect.fnUntraced(function* (handlers) {
    const dashboards = yield* Dashboards
    return handlers.handleAll({ read: ({ query }) => dashboards.read(query.organizationId) })
  })
).pipe(Layer.provide(Dashboards.layer))
