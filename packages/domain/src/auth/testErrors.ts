import { broken, keyRefused, parametersRefused } from "../http/commonErrors.ts"
import { invalidRequest } from "../http/errorForms.ts"
import { ClockMoving } from "./ClockAdvance.ts"

/** What every operation of a sandbox may answer. */
export const testErrors = [...keyRefused, parametersRefused, ...broken]

export const clockMoves = invalidRequest(
  ClockMoving,
  409,
  ({ target }) => `The clock already moves to ${target.toISOString()}. Try again when it is there.`,
  "The clock already moves"
)
