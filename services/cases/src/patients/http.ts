import { CasesApi } from "@care/domain"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { PatientCases } from "./PatientCases.ts"

/** Handlers of the internal group about patients' cases. */
export const PatientCasesHandlers = HttpApiBuilder.group(
  CasesApi,
  "patientCases",
  Effect.fnUntraced(function* (handlers) {
    const cases = yield* PatientCases
    return handlers.handleAll({
      profileLock: ({ params }) => Effect.map(cases.locksProfile(params.userId), (isLocked) => ({ isLocked }))
    })
  })
)
