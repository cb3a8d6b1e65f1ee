import { AuthApi } from "@care/domain/auth"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { PatientErasures } from "./PatientErasures.ts"

export const PatientErasureHandlers = HttpApiBuilder.group(
  AuthApi,
  "patientErasure",
  Effect.fnUntraced(function* (handlers) {
    const erasures = yield* PatientErasures
    return handlers.handleAll({
      erase: ({ params, payload }) => erasures.erase(params.userId, payload.force ?? false)
    })
  })
)
