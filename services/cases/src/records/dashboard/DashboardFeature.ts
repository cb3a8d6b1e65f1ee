import { CasesApi, Dashboard } from "@care/domain/cases"
import { taggedRead } from "@care/service-kit"
import { Effect, Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Dashboards } from "./Dashboards.ts"

const readTagged = taggedRead(Dashboard)

/** The dashboard of operators. */
export const DashboardFeature = HttpApiBuilder.group(
  CasesApi,
  "dashboard",
  Effect.fnUntraced(function* (handlers) {
    const dashboards = yield* Dashboards
    return handlers.handleAll({
      read: ({ query: { organizationId } }) =>
        Effect.flatMap(dashboards.tagOf(organizationId), (etag) => readTagged(etag, dashboards.read(organizationId)))
    })
  })
).pipe(Layer.provide(Dashboards.layer))
