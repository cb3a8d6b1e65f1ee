import { CasesApi } from "@care/domain/cases"
import { Effect, Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { downloadOf } from "../../documents/index.ts"
import { Charts } from "./Charts.ts"

/** The patients and the files of cases. */
export const ChartsFeature = HttpApiBuilder.group(
  CasesApi,
  "caseChart",
  Effect.fnUntraced(function* (handlers) {
    const charts = yield* Charts
    return handlers.handleAll({
      patient: ({ params }) => Effect.map(charts.patient(params.caseId), (data) => ({ data })),
      file: ({ params }) => Effect.flatMap(charts.file(params.caseId, params.documentId), downloadOf)
    })
  })
).pipe(Layer.provide(Charts.layer))
