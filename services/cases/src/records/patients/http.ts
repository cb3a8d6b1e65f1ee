import { CasesApi } from "@care/domain/cases"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { PatientExports } from "./PatientExports.ts"

export const PatientExportHandlers = HttpApiBuilder.group(
  CasesApi,
  "patientExport",
  Effect.fnUntraced(function* (handlers) {
    const exports = yield* PatientExports
    return handlers.handleAll({ export: ({ params }) => exports.write(params.userId) })
  })
)
