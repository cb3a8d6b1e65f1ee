import { CasesApi } from "@care/domain/cases"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { InactivePatients } from "./InactivePatients.ts"
import { PatientExports } from "./PatientExports.ts"

export const PatientExportHandlers = HttpApiBuilder.group(
  CasesApi,
  "patientExport",
  Effect.fnUntraced(function* (handlers) {
    const exports = yield* PatientExports
    return handlers.handleAll({ export: ({ params }) => exports.write(params.userId) })
  })
)

export const InactivePatientsHandlers = HttpApiBuilder.group(
  CasesApi,
  "inactivePatients",
  Effect.fnUntraced(function* (handlers) {
    const patients = yield* InactivePatients
    return handlers.handleAll({ erase: ({ params }) => patients.erase(params) })
  })
)
