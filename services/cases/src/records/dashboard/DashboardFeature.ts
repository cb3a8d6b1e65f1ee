import { CasesApi } from "@care/domain/cases"
import { isKnownTag } from "@care/service-kit"
import { Effect, Layer } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Dashboards } from "./Dashboards.ts"

/** The dashboard of operators. */
export const DashboardFeature = HttpApiBuilder.group(
  CasesApi,
  "dashboard",
  Effect.fnUntraced(function* (handlers) {
    const dashboards = yield* Dashboards
    return handlers.handleAll({
      read: Effect.fnUntraced(function* ({ headers, query: { organizationId } }) {
        const etag = yield* dashboards.tagOf(organizationId)
        yield* HttpEffect.appendPreResponseHandler((_, response) =>
          Effect.succeed(HttpServerResponse.setHeader(response, "etag", etag))
        )
        return isKnownTag(etag, headers["if-none-match"]) ? undefined : yield* dashboards.read(organizationId)
      })
    })
  })
).pipe(Layer.provide(Dashboards.layer))
